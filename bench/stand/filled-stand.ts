import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { derivedEventId } from '../../shared/data/derived-id.ts';
import { customerViewPartition, orderWordPartition } from '../../shared/data/keys.ts';
import { tableSchema } from '../../shared/data/table-schema.ts';
import {
  type CrowdPlace,
  commonInitial,
  customerCrowd,
  type Item,
  type Loaded,
  load,
  memberCrowd,
  seasonCrowd,
} from './crowd.ts';
import { type Stand, startStand } from './dynamodb.ts';

/** One kind of rows of an organisation that has so many of each kind. */
export interface Filling {
  readonly rows: 'members' | 'customers' | 'sales';
  readonly size: number;
}

export const eventCode = 'growth';

/** The organisation that has so many of everything. Their ids are of one length: they are a part of every item that is read. */
export function placeOfSize(size: number): CrowdPlace {
  const orgId = `org_has${String(size).padStart(6, '0')}`;
  return { orgId, eventId: derivedEventId(orgId, eventCode) };
}

const kept = fileURLToPath(new URL('../../.local/bench/', import.meta.url));

/**
 * A table with hundreds of thousands of rows. Filling it takes minutes, so it is kept in a folder, under a name that follows from
 * what the rows look like; a measurement gets a copy, because it leaves things behind. Only what the measured reads can reach is
 * put into it: rows, and of the words by which they are found those with the initial that everybody shares. What a Query costs
 * does not depend on other partitions.
 */
export async function startFilledStand(fillings: readonly Filling[], progress: Loaded): Promise<Stand> {
  const folder = join(kept, nameOfRows());
  for (const other of existsSync(kept) ? readdirSync(kept) : [])
    if (join(kept, other) !== folder) rmSync(join(kept, other), { recursive: true });
  mkdirSync(folder, { recursive: true });
  await fill(folder, fillings, progress);
  const copy = join(kept, 'copy');
  cpSync(folder, copy, { recursive: true });
  const stand = await startStand({ folder: copy, easilyMadeAnew: true });
  return {
    ...stand,
    async stop() {
      await stand.stop();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

const Filled = v.array(v.string());

async function fill(folder: string, fillings: readonly Filling[], progress: Loaded): Promise<void> {
  const begun = join(folder, 'begun');
  // Whoever was stopped while filling it may have left it in pieces.
  if (existsSync(begun)) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  }
  const file = join(folder, 'filled.json');
  const filled = existsSync(file) ? v.parse(Filled, JSON.parse(readFileSync(file, 'utf8'))) : [];
  const missing = fillings.filter((filling) => !filled.includes(nameOf(filling)));
  if (missing.length === 0) return;
  writeFileSync(begun, '');
  const stand = await startStand({ folder, easilyMadeAnew: true });
  try {
    const table = stand.open();
    for (const filling of missing) {
      const { size } = filling;
      const what = `${filling.rows} of ${size} (kept for the next run)`;
      await load(table, reached(rowsOf(filling)), { of: size, what, loaded: progress });
      filled.push(nameOf(filling));
      writeFileSync(file, JSON.stringify(filled));
    }
  } finally {
    await stand.stop();
  }
  rmSync(begun);
}

const nameOf = ({ rows, size }: Filling): string => `${rows} ${size}`;

function rowsOf({ rows, size }: Filling): Iterable<readonly Item[]> {
  const place = placeOfSize(size);
  if (rows === 'members') return memberCrowd(place, size);
  return rows === 'customers' ? customerCrowd(place, size) : seasonCrowd(place, { orders: size, scans: size });
}

const initials = [customerViewPartition('*', 'word', commonInitial), orderWordPartition('*', 0, commonInitial)];
const wordSuffix = initials.map((partition) => partition.slice(partition.lastIndexOf('#')));

function* reached(rows: Iterable<readonly Item[]>): Generator<readonly Item[]> {
  for (const row of rows) yield row.filter(({ pk }) => isReached(String(pk)));
}

function isReached(pk: string): boolean {
  if (/^(MEM|SEQ|CUS|ORD|SCN|CNT)#/.test(pk)) return true;
  return /^(CUV|ORV)#/.test(pk) && wordSuffix.some((suffix) => pk.endsWith(suffix));
}

/** Changes with the shape of the rows and of the table, whatever made it change. */
function nameOfRows(): string {
  const few = (['members', 'customers', 'sales'] as const).flatMap((rows) => [...reached(rowsOf({ rows, size: 20 }))]);
  return createHash('sha256')
    .update(JSON.stringify([tableSchema, few]))
    .digest('hex')
    .slice(0, 16);
}
