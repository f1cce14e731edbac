import { mergeMetadata, type WithMetadataChange } from '../../domain/metadata.ts';
import {
  maxPrices,
  type PriceFields,
  type PriceRecord,
  priceIdOf,
  priceOfId,
  type Stock,
} from '../../domain/prices/price.ts';
import { slicesAfter, slicesOf } from '../../domain/prices/slices.ts';
import { findHolder } from '../customers/read.ts';
import { eventKey, poolKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import { type SaveOptions, saveDefaults, type VersionChanged, versionChanged } from '../table/save-options.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';
import { type CapacityTaken, lowerCapacity, stockOf } from './capacity.ts';
import { changeStocks, type StocksTaken } from './change-stocks.ts';
import { readPool, readPrice, readPriceList } from './read.ts';
import { priceCodeItem, priceCodeKey, priceItem } from './row.ts';
import { changeCapacity, stockItems, touchStock } from './stock.ts';

export interface PriceDraft extends PriceFields, WithMetadataChange {
  readonly eventId: number;
  readonly code: string;
  /** How many tickets of the price exist, including held and sold ones. Null: as many as its pool has. */
  readonly capacity: number | null;
  /** Whether the seats of its zone are its capacity. */
  readonly seatsOnly?: boolean;
  /** The currency of the amounts. It must still be the event's. */
  readonly currency: string;
}

/** Why nothing was written. */
export type RefusedPrice =
  /** `capacity_missing`: a price without a pool needs one. `pool_missing`: the event has no such pool. */
  | { readonly outcome: 'too_many_prices' | 'currency_changed' | 'capacity_missing' | 'pool_missing' }
  | CapacityTaken
  | StocksTaken
  | VersionChanged;

export type SavedPrice =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly price: PriceRecord }
  | RefusedPrice;

/** A change of a price, as its webhook announces it. */
export interface PriceChange {
  readonly before: PriceRecord | undefined;
  readonly after: PriceRecord;
}

/**
 * Creates the price with this code in its event, or changes it. Price, code and stock are written in one transaction. If the
 * capacity changes, the available tickets change by the same number. The stocks that it takes from can change only while none
 * of its tickets is held or sold. Saving the same values again writes nothing.
 */
export function savePrice(
  table: Table,
  orgId: string,
  draft: PriceDraft,
  options: SaveOptions<PriceChange> = {},
): Promise<SavedPrice> {
  const { tried, expected, sideEffects, dryRun } = saveDefaults(options);
  return retryRaces('price', async (): Promise<SavedPrice | undefined> => {
    const { eventId, poolIndex, capacity } = draft;
    if (capacity === null && poolIndex === null && !draft.seatsOnly) return { outcome: 'capacity_missing' };
    const before = await priceByCode(table, orgId, eventId, draft.code);
    const conflict = versionChanged(before, expected);
    if (conflict !== undefined) return conflict;
    const isNewPool = poolIndex !== null && before?.poolIndex !== poolIndex;
    if (isNewPool && (await readPool(table, orgId, { eventId, index: poolIndex })) === undefined) {
      return { outcome: 'pool_missing' };
    }
    if (before === undefined) return tried.send('created', () => create(table, orgId, draft, { sideEffects, dryRun }));
    const wanted = { ...before, ...fieldsOf(draft, before), ownStock: capacity !== null };
    const stock = await stockOf(table, orgId, before);
    const isSame = (stock?.capacity ?? null) === capacity && isSameRecord(before, wanted);
    if (isSame) return { outcome: 'unchanged', price: before };
    return tried.send('updated', () => update(table, orgId, before, { wanted: { ...wanted, capacity }, sideEffects }));
  });
}

export async function priceByCode(
  table: Table,
  orgId: string,
  eventId: number,
  code: string,
): Promise<PriceRecord | undefined> {
  const priceId = await findHolder(table, priceCodeKey(orgId, eventId, code), { consistent: true });
  const priceRef = priceId === undefined ? undefined : priceOfId(priceId);
  return priceRef === undefined ? undefined : readPrice(table, orgId, priceRef);
}

async function create(
  table: Table,
  orgId: string,
  draft: PriceDraft,
  { sideEffects, dryRun }: { readonly sideEffects: SideEffects<PriceChange>; readonly dryRun: boolean },
): Promise<SavedPrice | undefined> {
  const { eventId, poolIndex, capacity } = draft;
  const { prices, pools } = await readPriceList(table, orgId, eventId, { consistent: true });
  const index = Math.max(0, ...prices.map((price) => price.index)) + 1;
  if (index > maxPrices || pools.has(index)) return { outcome: 'too_many_prices' };
  const price: PriceRecord = {
    ...fieldsOf(draft),
    index,
    priceId: priceIdOf(eventId, index),
    ownStock: capacity !== null,
    stockSlices: slicesOf(capacity ?? 0),
    stockVersion: 0,
    version: 1,
  };
  if (dryRun) return { outcome: 'unchanged', price };
  const rows = [
    priceItem(orgId, price),
    priceCodeItem(orgId, price),
    ...(capacity === null ? [] : stockItems(orgId, price, { avail: capacity, capacity })),
  ];
  const items = [
    { ...hasCurrency(table, orgId, draft), label: 'currency' },
    ...rows.map((Item) => ({ Put: { TableName: table.name, Item, ...unchangedSince(undefined) } })),
    // A pool that is created at the same time may take the last number.
    {
      ConditionCheck: { TableName: table.name, Key: poolKey(orgId, eventId, index), ...unchangedSince(undefined) },
    },
    ...(capacity === null && poolIndex !== null ? [touchStock(table, orgId, { eventId, index: poolIndex })] : []),
  ];
  const refused = await transact(table, items, sideEffects({ before: undefined, after: price }));
  if (refused.some(({ label }) => label === 'currency')) return { outcome: 'currency_changed' };
  return refused.length > 0 ? undefined : { outcome: 'created', price };
}

/** The fields of the price itself, without its stock. */
function fieldsOf(
  { capacity: _stock, currency: _fixed, seatsOnly = false, metadata: change, ...fields }: PriceDraft,
  before?: PriceRecord,
) {
  return { ...fields, seatsOnly, metadata: mergeMetadata(before?.metadata, change) };
}

type WantedPrice = PriceRecord & Pick<PriceDraft, 'capacity'>;

async function update(
  table: Table,
  orgId: string,
  before: PriceRecord,
  {
    wanted: { capacity, ...wanted },
    sideEffects,
  }: { readonly wanted: WantedPrice; readonly sideEffects: SideEffects<PriceChange> },
): Promise<SavedPrice | undefined> {
  if (before.poolIndex !== wanted.poolIndex || before.ownStock !== wanted.ownStock) {
    return changeStocks(table, orgId, before, { wanted, capacity, sideEffects });
  }
  // A changed capacity is a new version too: of two people who change it at once, the second one notices.
  const stock = capacity === null ? undefined : await stockOf(table, orgId, before);
  const grown = { from: stock?.capacity ?? 0, to: capacity ?? 0 };
  const stockSlices = slicesAfter(before.stockSlices, grown);
  const price = { ...wanted, stockSlices, version: before.version + 1 };
  const changed = await changedStock(table, orgId, price, { stock, capacity });
  if (changed === 'raced') return undefined;
  if ('outcome' in changed) return changed;
  const Item = priceItem(orgId, price);
  const items = [{ Put: { TableName: table.name, Item, ...unchangedSince(before) } }, ...changed];
  const refused = await transact(table, items, sideEffects({ before, after: price }));
  return refused.length > 0 ? undefined : { outcome: 'updated', price };
}

/** The transaction items of a changed price that concern its stock: the worker of `sold_out` sees at least one of them. */
async function changedStock(
  table: Table,
  orgId: string,
  price: PriceRecord,
  { stock, capacity }: { readonly stock: Stock | undefined; readonly capacity: number | null },
): Promise<readonly TransactItem[] | 'raced' | CapacityTaken> {
  const { eventId, poolIndex } = price;
  if (capacity === null) return poolIndex === null ? [] : [touchStock(table, orgId, { eventId, index: poolIndex })];
  if (stock === undefined) return 'raced';
  if (capacity < stock.capacity) {
    const lowered = await lowerCapacity(table, orgId, price, { stock, capacity });
    if (lowered !== 'possible') return lowered;
  }
  return changeCapacity(table, orgId, price, { from: stock.capacity, to: capacity, closed: stock.closed });
}

/** An event with prices keeps its currency, so only its first price needs the condition; the others are not slower with it. */
function hasCurrency(table: Table, orgId: string, { eventId, currency }: PriceDraft): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: eventKey(orgId, eventId),
      ConditionExpression: 'currency = :currency',
      ExpressionAttributeValues: { ':currency': currency },
    },
  };
}
