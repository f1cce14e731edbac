import type { PoolFields, PoolRecord } from '../../domain/prices/pool.ts';
import { maxPrices } from '../../domain/prices/price.ts';
import { slicesOf } from '../../domain/prices/slices.ts';
import { priceKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';
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
  | CapacityTaken;

/**
 * Creates the pool with this code in its event, or changes it, as `savePrice` does a price. A new pool takes the next number on
 * the condition that nobody else has it, so two pools that are created at the same time cannot have the same code either.
 */
export function savePool(table: Table, orgId: string, draft: PoolDraft, tried = new TriedWrites()): Promise<SavedPool> {
  return retryRaces('pool', async (): Promise<SavedPool | undefined> => {
    const list = await readPriceList(table, orgId, draft.eventId, { consistent: true });
    const before = [...list.pools.values()].find(({ code }) => code === draft.code);
    return before === undefined
      ? tried.send('created', () => create(table, orgId, list, draft))
      : change(table, orgId, before, { draft, tried });
  });
}

async function create(
  table: Table,
  orgId: string,
  { prices, pools }: PriceList,
  { capacity, ...fields }: PoolDraft,
): Promise<SavedPool | undefined> {
  const index = Math.min(maxPrices + 1, ...pools.keys()) - 1;
  if (index === 0 || prices.some((price) => price.index === index)) return { outcome: 'too_many_pools' };
  const pool = { ...fields, index, stockSlices: slicesOf(capacity), stockVersion: 0, version: 1 };
  const items = [poolItem(orgId, pool), ...stockItems(orgId, pool, { avail: capacity, capacity })];
  const TableName = table.name;
  const refused = await transact(table, [
    ...items.map((Item) => ({ Put: { TableName, Item, ...unchangedSince(undefined) } })),
    // A price that is created at the same time may take the last number.
    {
      ConditionCheck: { TableName, Key: priceKey(orgId, pool.eventId, index), ...unchangedSince(undefined) },
    },
  ]);
  return refused.length > 0 ? undefined : { outcome: 'created', pool };
}

async function change(
  table: Table,
  orgId: string,
  before: PoolRecord,
  { draft, tried }: { readonly draft: PoolDraft; readonly tried: TriedWrites },
): Promise<SavedPool | undefined> {
  const { capacity, ...fields } = draft;
  const stock = (await stockOf(table, orgId, before)) ?? { avail: 0, capacity: 0 };
  const stockSlices = Math.max(before.stockSlices, slicesOf(capacity));
  const changed = { ...before, ...fields, stockSlices };
  const isSame = isSameRecord(before, changed);
  if (isSame && stock.capacity === capacity) return { outcome: 'unchanged', pool: before };
  if (capacity < stock.capacity) {
    const lowered = await lowerCapacity(table, orgId, before, { stock, capacity });
    if (lowered !== 'possible') return lowered === 'raced' ? undefined : lowered;
  }
  const pool = isSame ? before : { ...changed, version: before.version + 1 };
  return tried.send('updated', async () => {
    const refused = await transact(table, [
      ...(isSame ? [] : [{ Put: { TableName: table.name, Item: poolItem(orgId, pool), ...unchangedSince(before) } }]),
      ...changeCapacity(table, orgId, pool, { from: stock.capacity, to: capacity }),
    ]);
    return refused.length > 0 ? undefined : { outcome: 'updated', pool };
  });
}
