import type { PoolFields, PoolRecord } from '../../domain/prices/pool.ts';
import { maxPrices } from '../../domain/prices/price.ts';
import { slicesAfter, slicesOf } from '../../domain/prices/slices.ts';
import { priceKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import { type SaveOptions, saveDefaults, type VersionChanged, versionChanged } from '../table/save-options.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, transact } from '../table/transact.ts';
import type { TriedWrites } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';
import { type CapacityTaken, lowerCapacity, stockOf } from './capacity.ts';
import { type PriceList, readPriceList } from './read.ts';
import { poolItem } from './row.ts';
import { changeCapacity, stockItems } from './stock.ts';

export interface PoolDraft extends PoolFields {
  readonly eventId: number;
  readonly code: string;
  /** How many places exist, including held and sold ones. */
  readonly capacity: number;
}

export type SavedPool =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly pool: PoolRecord }
  | { readonly outcome: 'too_many_pools' }
  | CapacityTaken
  | VersionChanged;

interface PoolChange {
  readonly after: PoolRecord;
}

/**
 * Creates the pool with this code in its event, or changes it, as `savePrice` does a price. A new pool takes the next number on
 * the condition that nobody else has it, so two pools that are created at the same time cannot have the same code either.
 */
export function savePool(
  table: Table,
  orgId: string,
  draft: PoolDraft,
  options: SaveOptions<PoolChange> = {},
): Promise<SavedPool> {
  const { tried, expected, sideEffects } = saveDefaults(options);
  return retryRaces('pool', async (): Promise<SavedPool | undefined> => {
    const list = await readPriceList(table, orgId, draft.eventId, { consistent: true });
    const before = [...list.pools.values()].find(({ code }) => code === draft.code);
    const conflict = versionChanged(before, expected);
    if (conflict !== undefined) return conflict;
    return before === undefined
      ? tried.send('created', () => create(table, orgId, list, { draft, sideEffects }))
      : change(table, orgId, before, { draft, tried, sideEffects });
  });
}

interface Wanted {
  readonly draft: PoolDraft;
  readonly sideEffects: SideEffects<PoolChange>;
}

async function create(
  table: Table,
  orgId: string,
  { prices, pools }: PriceList,
  { draft: { capacity, ...fields }, sideEffects }: Wanted,
): Promise<SavedPool | undefined> {
  const index = Math.min(maxPrices + 1, ...pools.keys()) - 1;
  if (index === 0 || prices.some((price) => price.index === index)) return { outcome: 'too_many_pools' };
  const pool = { ...fields, index, stockSlices: slicesOf(capacity), stockVersion: 0, version: 1 };
  const rows = [poolItem(orgId, pool), ...stockItems(orgId, pool, { avail: capacity, capacity })];
  const TableName = table.name;
  const items = [
    ...rows.map((Item) => ({ Put: { TableName, Item, ...unchangedSince(undefined) } })),
    // A price that is created at the same time may take the last number.
    {
      ConditionCheck: { TableName, Key: priceKey(orgId, pool.eventId, index), ...unchangedSince(undefined) },
    },
  ];
  const refused = await transact(table, items, sideEffects({ after: pool }));
  return refused.length > 0 ? undefined : { outcome: 'created', pool };
}

async function change(
  table: Table,
  orgId: string,
  before: PoolRecord,
  { draft, tried, sideEffects }: Wanted & { readonly tried: TriedWrites },
): Promise<SavedPool | undefined> {
  const { capacity, ...fields } = draft;
  const stock = (await stockOf(table, orgId, before)) ?? { avail: 0, capacity: 0 };
  const stockSlices = slicesAfter(before.stockSlices, { from: stock.capacity, to: capacity });
  const changed = { ...before, ...fields, stockSlices };
  if (stock.capacity === capacity && isSameRecord(before, changed)) return { outcome: 'unchanged', pool: before };
  if (capacity < stock.capacity) {
    const lowered = await lowerCapacity(table, orgId, before, { stock, capacity });
    if (lowered !== 'possible') return lowered === 'raced' ? undefined : lowered;
  }
  const pool = { ...changed, version: before.version + 1 };
  return tried.send('updated', async () => {
    const items = [
      { Put: { TableName: table.name, Item: poolItem(orgId, pool), ...unchangedSince(before) } },
      ...changeCapacity(table, orgId, pool, { from: stock.capacity, to: capacity, closed: stock.closed }),
    ];
    const refused = await transact(table, items, sideEffects({ after: pool }));
    return refused.length > 0 ? undefined : { outcome: 'updated', pool };
  });
}
