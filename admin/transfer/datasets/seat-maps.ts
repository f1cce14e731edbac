import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import type { SeatMapRecord } from '../../../shared/data/membership/config-rows.ts';
import { createSeatMap, readMapVersion, updateSeatMap } from '../../../shared/data/seat-maps/seat-maps.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { type BuiltMap, buildMap, type SentRow, tooLong } from '../../../shared/domain/seats/build-map.ts';
import { type LabelledSeat, parseLabels } from '../../../shared/domain/seats/labels.ts';
import { maxChangedRows } from '../../../shared/domain/seats/other-version.ts';
import { seatKinds, seatList } from '../../../shared/domain/seats/seat-map.ts';
import { seatMapResource } from '../../../shared/mappers/seat-map.ts';
import * as column from '../columns.ts';
import { defineDataset, type SaveResult, type TransferContext } from '../dataset.ts';

/** A list whose elements are as retrieve-seat-map returns them. */
const list = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.nullable(v.array(schema, 'must be a list as retrieve-seat-map returns it, in CSV as JSON'));
const zone = v.optional(v.nullable(v.string()), null);

const MapRow = v.strictObject({
  row: v.string(),
  zone,
  zones: v.optional(v.nullable(v.array(v.string())), null),
  /** The names of the seats, or a text such as `1-12|13-24`. */
  seats: v.union([v.string(), v.array(v.string())]),
  aisles: v.optional(v.array(v.string()), []),
  positions: v.optional(v.nullable(v.array(v.tuple([v.number(), v.number()]))), null),
});
const Section = v.strictObject({ section: v.string(), zone, rows: v.array(MapRow) });
const Zone = v.strictObject({
  zone: v.string(),
  color: v.optional(v.nullable(v.string()), null),
  seats: v.optional(v.number()),
});
const Kinds = v.strictObject({ kind: v.picklist(seatKinds), seats: v.array(v.string()), companion_of: zone });

const SeatMapRow = v.strictObject({
  code: column.code,
  title: column.text(200),
  zones: list(Zone),
  /** Null: the map has a name only, or keeps its seats. */
  sections: list(Section),
  kinds: list(Kinds),
});
type SeatMapRow = v.InferOutput<typeof SeatMapRow>;

export const seatMaps = defineDataset({
  name: 'seat-maps',
  plural: 'seat maps',
  key: 'code',
  schema: SeatMapRow,
  async open({ table, orgId }) {
    const editor = await MembershipConfigEditor.open(table, orgId);
    const recordOf = (code: string) => editor.config.seatMaps.get(derivedId(orgId, 'seatmap', code));
    return {
      defaults: { zones: null, sections: null, kinds: null },
      async find(code) {
        const record = recordOf(code);
        return record && toRow(table, orgId, record);
      },
      async save(row, isGiven, tried) {
        const { code, title } = row;
        const seatMapId = derivedId(orgId, 'seatmap', code);
        const before = recordOf(code);
        // An import of the name keeps the seats.
        const { mapVersion = 0, seats = 0 } = before ?? {};
        const named = { kind: 'seatmap', seatMapId, code, title, mapVersion, seats } as const;
        if (row.sections === null || !isGiven('sections')) return editor.save(named, tried);
        const saved = await saveSeats({ table, orgId }, before, row, tried);
        return saved === 'unchanged' ? editor.save(named, tried) : saved;
      },
    };
  },
  total: async (context) => (await recordsOf(context)).length,
  async *rows(context) {
    for (const record of await recordsOf(context)) yield toRow(context.table, context.orgId, record);
  },
});

async function recordsOf({ table, orgId }: TransferContext): Promise<readonly SeatMapRecord[]> {
  const { seatMaps: known } = await readMembershipConfig(table, orgId);
  return [...known.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

async function toRow(table: Table, orgId: string, record: SeatMapRecord): Promise<SeatMapRow> {
  const { code, title, seatMapId, mapVersion } = record;
  const map = mapVersion === 0 ? undefined : await readMapVersion(table, orgId, seatMapId, mapVersion);
  if (map === undefined) return { code, title, zones: null, sections: null, kinds: null };
  const { zones, sections, kinds } = seatMapResource(record, mapVersion, map);
  const placed = sections.map(({ rows, ...section }) => ({
    ...section,
    rows: rows.map(({ positions, ...row }) => ({
      ...row,
      positions: positions?.map(([x = 0, y = 0]): [number, number] => [x, y]) ?? null,
    })),
  }));
  return { code, title, zones, sections: placed, kinds };
}

/** Makes a version of the seats, unless the map has these seats already. */
async function saveSeats(
  { table, orgId }: Pick<TransferContext, 'table' | 'orgId'>,
  before: SeatMapRecord | undefined,
  row: SeatMapRow,
  tried: TriedWrites,
): Promise<SaveResult> {
  const built = mapOf(row);
  if ('problems' in built) return { rejected: built.problems.map(({ message }) => message).join(' ') };
  const { map } = built;
  const { code, title } = row;
  const seatMapId = derivedId(orgId, 'seatmap', code);
  const known =
    before && before.mapVersion > 0 ? await readMapVersion(table, orgId, seatMapId, before.mapVersion) : undefined;
  if (isDeepStrictEqual(known, map)) return 'unchanged';
  const kind = before === undefined ? 'created' : 'updated';
  const values = { title, map, dryRun: false };
  const saved = await tried.send(kind, () =>
    known === undefined
      ? createSeatMap(table, orgId, { code, title, map }, values)
      : updateSeatMap(table, orgId, seatMapId, { ...values, ifMatch: before?.mapVersion }),
  );
  switch (saved.outcome) {
    case 'saved':
      return kind;
    case 'seats_lost':
      return {
        rejected: `sections no longer has ${seatList(saved.seats)}, which members have. Give them other seats.`,
      };
    case 'too_many_rows':
      return {
        rejected: `sections changes ${saved.rows} rows of the map of a membership category. Change at most ${maxChangedRows} at a time.`,
      };
    default:
      return { rejected: 'The seat map changed meanwhile. Import the file again.' };
  }
}

/** Aisles that a list of names cannot show are after the seats that `aisles` names. */
function mapOf({ zones, sections, kinds }: SeatMapRow): BuiltMap {
  const problems: { readonly param: string; readonly message: string }[] = [];
  const rows = (sections ?? []).flatMap(({ section, zone: ofSection, rows: inSection }) =>
    inSection.map((row): SentRow => {
      const labels = labelsOf(row);
      if ('tooMany' in labels) {
        problems.push({ param: 'sections', message: tooLong(section, row.row, labels.tooMany) });
        return { param: 'sections', section, row: row.row, seats: [] };
      }
      const seats = labels.map((seat, place) => {
        const [x, y] = row.positions?.[place] ?? [];
        const position = x === undefined || y === undefined ? {} : { position: { x, y } };
        return { ...seat, ...position, zone: row.zones?.[place] ?? row.zone ?? ofSection ?? section };
      });
      return { param: 'sections', section, row: row.row, seats };
    }),
  );
  if (problems.length > 0) return { problems };
  return buildMap(rows, {
    zones: zones ?? [],
    kinds: (kinds ?? []).map(({ kind, seats, companion_of }) => ({ kind, seats, companionOf: companion_of })),
  });
}

function labelsOf({ seats, aisles }: v.InferOutput<typeof MapRow>): ReturnType<typeof parseLabels> {
  if (typeof seats === 'string') return parseLabels(seats);
  return seats.map(
    (label, place): LabelledSeat => ({ label, afterAisle: place > 0 && aisles.includes(seats[place - 1] ?? '') }),
  );
}
