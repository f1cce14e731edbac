import type { SeatMap } from '../../domain/seats/seat-map.ts';
import type { TakenRow } from '../../domain/seats/seat-moves.ts';
import { BriefMemory } from '../table/brief-memory.ts';
import type { Table } from '../table/table.ts';
import { emptyRow, readTakenSection } from './rows.ts';

/** Who has seats, by section. A row that is missing has all its seats. */
export type TakenSections = ReadonlyMap<string, readonly TakenRow[]>;

const shown = new BriefMemory<readonly TakenRow[]>(1_000);

interface Sections {
  readonly eventId: number;
  readonly sections: readonly string[];
}

/** Sections as they are now. */
export async function readSections(
  table: Table,
  orgId: string,
  { eventId, sections }: Sections,
): Promise<TakenSections> {
  const read = async (section: string) =>
    [section, await readTakenSection(table, orgId, { eventId, section })] as const;
  return new Map(await Promise.all(sections.map(read)));
}

/** Sections as a web page shows them: eventually consistent, and kept for a second. They decide nothing; the hold does. */
export async function readShownSections(
  table: Table,
  orgId: string,
  { eventId, sections }: Sections,
  nowMs: number,
): Promise<TakenSections> {
  const read = async (section: string) => {
    const name = `${orgId}#${eventId}#${section}`;
    const look = () => readTakenSection(table, orgId, { eventId, section }, { consistent: false });
    return [section, await shown.read(table, { name, nowMs }, look)] as const;
  };
  return new Map(await Promise.all(sections.map(read)));
}

/** A row of sections that were read. */
export function rowIn(sections: TakenSections, ref: Pick<TakenRow, 'section' | 'row'>): TakenRow {
  return sections.get(ref.section)?.find(({ row }) => row === ref.row) ?? emptyRow(ref);
}

export const sectionsOf = ({ sections }: SeatMap): readonly string[] => sections.map(({ section }) => section);
