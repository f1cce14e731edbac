import { maxChangedRows } from '../../domain/seats/other-version.ts';
import type { SeatMapRefusal } from '../../domain/seats/refusals.ts';
import type { SeatMap } from '../../domain/seats/seat-map.ts';
import { seatsOf } from '../../domain/seats/seat-map.ts';
import { memberRowsOfVersion } from '../member-seats/rows.ts';
import { readConfigItems, readSeatMap } from '../membership/config.ts';
import { parseConfigRecords, type SeatMapRecord } from '../membership/config-rows.ts';
import { configPut } from '../membership/save-config.ts';
import { closeSeats } from '../seats/rows.ts';
import { derivedId } from '../table/derived-id.ts';
import { seatMapPartition, seatMapVersionPrefix } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { retryRaces } from '../table/retry.ts';
import { versionChanged } from '../table/save-options.ts';
import { memberSeatRowKey } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, transact } from '../table/transact.ts';
import { mapParts, parseMapParts } from './row.ts';

/** The seat maps of the organisation, by title. Those that an import has only named have no seats. */
export async function readSeatMaps(table: Table, orgId: string): Promise<readonly SeatMapRecord[]> {
  const records = parseConfigRecords(await readConfigItems(table, orgId, { kind: 'seatmap' }));
  return records
    .flatMap((record) => (record.kind === 'seatmap' ? [record] : []))
    .toSorted((one, other) => one.title.localeCompare(other.title) || one.seatMapId - other.seatMapId);
}

/** What an instance has read, by organisation, map and version. A version never changes, so it is kept until others need the room. */
const kept = new WeakMap<Table['meter'], Map<string, Promise<SeatMap | undefined>>>();
const maxKept = 4;

/** One version of a map; undefined if it does not exist. A map of 80,000 seats is read once by an instance. */
export function readMapVersion(
  table: Table,
  orgId: string,
  seatMapId: number,
  version: number,
): Promise<SeatMap | undefined> {
  const ofInstance = kept.get(table.meter) ?? new Map<string, Promise<SeatMap | undefined>>();
  kept.set(table.meter, ofInstance);
  const name = `${orgId}#${seatMapId}#${version}`;
  const known = ofInstance.get(name);
  if (known !== undefined) return known;
  const map = readParts(table, orgId, seatMapId, version);
  ofInstance.set(name, map);
  const [oldest] = ofInstance.keys();
  if (ofInstance.size > maxKept && oldest !== undefined) ofInstance.delete(oldest);
  // What is missing or failed is read again.
  const forget = () => ofInstance.delete(name);
  map.then((found) => found ?? forget(), forget);
  return map;
}

async function readParts(
  table: Table,
  orgId: string,
  seatMapId: number,
  version: number,
): Promise<SeatMap | undefined> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :version)',
    ExpressionAttributeValues: {
      ':pk': seatMapPartition(orgId, seatMapId),
      ':version': seatMapVersionPrefix(version),
    },
    ConsistentRead: true,
  });
  return items.length === 0 ? undefined : parseMapParts(items);
}

export interface SeatMapValues {
  readonly title: string;
  readonly map: SeatMap;
}

export type SavedSeatMap = { readonly outcome: 'saved'; readonly record: SeatMapRecord } | SeatMapRefusal;

interface SaveOptions {
  readonly dryRun: boolean;
  readonly sideEffects?: SideEffects<SeatMapRecord>;
}

/** Creates a seat map. A map that an import has only named gets its first version. */
export function createSeatMap(
  table: Table,
  orgId: string,
  { code, ...values }: SeatMapValues & Pick<SeatMapRecord, 'code'>,
  options: SaveOptions,
): Promise<SavedSeatMap> {
  const seatMapId = derivedId(orgId, 'seatmap', code);
  const check = (before: SeatMapRecord | undefined) => {
    if (before !== undefined && before.mapVersion > 0) return { outcome: 'code_taken' } as const;
    return before ?? ({ kind: 'seatmap', seatMapId, code, title: '', mapVersion: 0, seats: 0, version: 0 } as const);
  };
  return save(table, orgId, seatMapId, { ...values, ...options, check });
}

/** Makes a new version of a map. The versions before stay as they are: events keep the one they were made with. */
export function updateSeatMap(
  table: Table,
  orgId: string,
  seatMapId: number,
  { ifMatch, ...options }: SeatMapValues & SaveOptions & { readonly ifMatch: number | undefined },
): Promise<SavedSeatMap> {
  const check = (before: SeatMapRecord | undefined) =>
    before === undefined
      ? ({ outcome: 'missing' } as const)
      : (versionChanged({ version: before.mapVersion }, ifMatch) ?? before);
  return save(table, orgId, seatMapId, { ...options, check });
}

interface Check {
  /** The record to change, or why it is not changed. */
  readonly check: (
    before: SeatMapRecord | undefined,
  ) => SeatMapRecord | Exclude<SavedSeatMap, { readonly outcome: 'saved' }>;
}

function save(
  table: Table,
  orgId: string,
  seatMapId: number,
  { title, map, dryRun, check, sideEffects = noSideEffects }: SeatMapValues & SaveOptions & Check,
): Promise<SavedSeatMap> {
  return retryRaces('seat map', async () => {
    const before = check(await readSeatMap(table, orgId, seatMapId));
    if ('outcome' in before) return before;
    const mapVersion = before.mapVersion + 1;
    const record = { ...before, title, mapVersion, seats: seatsOf(map).length, version: before.version + 1 };
    const known = await readMapVersion(table, orgId, seatMapId, before.mapVersion);
    const change = known && (await memberRowsOfVersion(table, orgId, { mapId: seatMapId, before: known, after: map }));
    if (change && 'lost' in change) return { outcome: 'seats_lost', seats: change.lost };
    const rows = change?.rows ?? [];
    if (rows.length > maxChangedRows) return { outcome: 'too_many_rows', rows: rows.length };
    if (dryRun) return { outcome: 'saved', record };
    const parts = mapParts(orgId, seatMapId, mapVersion, map);
    const refusals = await transact(
      table,
      [
        { Put: configPut(table, orgId, { record, membersOutdated: false }) },
        ...parts.map((Item) => ({ Put: { TableName: table.name, Item } })),
        ...closeSeats(table, (section, row) => memberSeatRowKey(orgId, seatMapId, section, row), rows),
      ],
      sideEffects(record),
    );
    return refusals.length === 0 ? { outcome: 'saved', record } : undefined;
  });
}
