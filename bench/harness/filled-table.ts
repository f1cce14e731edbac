import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import { customerViewPartition, orderWordPartition } from '../../shared/data/table/keys.ts';
import { type Stand, startStand } from './bench-table.ts';
import {
  commonInitial,
  customerCrowd,
  type Item,
  memberCrowd,
  type PopulationShare,
  seasonCrowd,
} from './population.ts';

/** One kind of rows of an organisation that has so many of each kind. */
export interface Filling {
  readonly rows: 'members' | 'customers' | 'sales';
  readonly size: number;
}

export const eventCode = 'growth';

/** The organisation that has so many of everything. Their ids are of one length: they are a part of every item that is read. */
export function positionOfSize(size: number): PopulationShare {
  const orgId = `org_has${String(size).padStart(6, '0')}`;
  return { orgId, eventId: derivedEventId(orgId, eventCode) };
}

/**
 * A table with hundreds of thousands of rows, which is made anew for each measurement. Only what the measured reads can reach is put
 * into it: rows, and of the words by which they are found those with the initial of whoever is searched for. What a Query costs does not
 * depend on other partitions.
 */
export async function startFilledStand(fillings: readonly Filling[], progress: (text: string) => void): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-bench-'));
  const stand = await startStand({ folder, easilyMadeAnew: true });
  const stop = async (): Promise<void> => {
    await stand.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    const isSales = ({ rows }: Filling): boolean => rows === 'sales';
    const fillHere = async (): Promise<void> => {
      for (const filling of fillings.filter((one) => !isSales(one))) {
        await stand.fill(fillingItems(filling));
        progress(`filled: ${filling.size.toLocaleString('en-US')} ${filling.rows}`);
      }
    };
    // Two at once, on the two cores that this is meant for.
    const orders = fillings.filter(isSales);
    progress('fills the table');
    await Promise.all([fillHere(), fillBeside(stand, orders)]);
    if (orders.length > 0) progress('filled: sales of all sizes, meanwhile');
    return { ...stand, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fillBeside({ endpoint, tableName }: Stand, fillings: readonly Filling[]): Promise<void> {
  if (fillings.length === 0) return;
  const program = fileURLToPath(new URL('./fill-program.ts', import.meta.url));
  const args = [endpoint, tableName, JSON.stringify(fillings)];
  await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...args]);
}

/** What the measured reads can reach of it. */
export function* fillingItems(filling: Filling): Generator<Item> {
  for (const item of rowsOf(filling)) if (isReached(String(item.pk))) yield item;
}

function rowsOf({ rows, size }: Filling): Iterable<Item> {
  const place = positionOfSize(size);
  if (rows === 'members') return memberCrowd(place, size);
  return rows === 'customers' ? customerCrowd(place, size) : seasonCrowd(place, { orders: size, scans: size });
}

const initials = [customerViewPartition('*', 'word', commonInitial), orderWordPartition('*', 0, commonInitial)];
const wordSuffix = initials.map((partition) => partition.slice(partition.lastIndexOf('#')));

function isReached(pk: string): boolean {
  if (/^(MEM|SEQ|CUS|ORD|SCN|CNT)#/.test(pk)) return true;
  return /^(CUV|ORV)#/.test(pk) && wordSuffix.some((suffix) => pk.endsWith(suffix));
}
