import {
  maxPrices,
  type PriceFields,
  type PriceRecord,
  priceIdOf,
  priceOfId,
  type Stock,
} from '../../domain/prices/price.ts';
import { slicesOf } from '../../domain/prices/slices.ts';
import { findHolder } from '../customers/read.ts';
import { readPrice, readPriceList } from '../prices/read.ts';
import { priceCodeItem, priceCodeKey, priceItem } from '../prices/row.ts';
import { gatherStock } from '../prices/slices.ts';
import { changeCapacity, readStock, stockItems } from '../prices/stock.ts';
import { eventKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';

export interface PriceDraft extends PriceFields {
  readonly eventId: number;
  readonly code: string;
  /** How many tickets of the price exist, including held and sold ones. */
  readonly capacity: number;
  /** The currency of the amounts. It must still be the event's. */
  readonly currency: string;
}

export type SavedPrice =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly price: PriceRecord }
  | { readonly outcome: 'too_many_prices' | 'currency_changed' }
  /** The capacity is lower than the number of held and sold tickets. */
  | { readonly outcome: 'capacity_taken'; readonly taken: number };

/**
 * Creates the price with this code in its event, or changes it. Price, code and stock are written in one transaction. If the
 * capacity changes, the available tickets change by the same number. Saving the same values again writes nothing.
 */
export function savePrice(
  table: Table,
  orgId: string,
  draft: PriceDraft,
  tried = new TriedWrites(),
): Promise<SavedPrice> {
  return retryRaces('price', async () => {
    const before = await priceByCode(table, orgId, draft.eventId, draft.code);
    if (before === undefined) return tried.send('created', () => create(table, orgId, draft));
    const stock = await stockOf(table, orgId, before);
    const isSame = stock.capacity === draft.capacity && isSameRecord(before, { ...before, ...fieldsOf(draft) });
    if (isSame) return { outcome: 'unchanged', price: before };
    return tried.send('updated', () => update(table, orgId, before, { draft, stock }));
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

async function create(table: Table, orgId: string, draft: PriceDraft): Promise<SavedPrice | undefined> {
  const { capacity, currency, ...fields } = draft;
  const { prices } = await readPriceList(table, orgId, draft.eventId, { consistent: true });
  const index = Math.max(0, ...prices.map((price) => price.index)) + 1;
  if (index > maxPrices) return { outcome: 'too_many_prices' };
  const priceId = priceIdOf(draft.eventId, index);
  const price = { ...fields, index, priceId, stockSlices: slicesOf(capacity), version: 1 };
  const items = [
    priceItem(orgId, price),
    priceCodeItem(orgId, price),
    ...stockItems(orgId, price, { avail: capacity, capacity }),
  ];
  const refused = await transact(table, [
    { ...hasCurrency(table, orgId, draft), label: 'currency' },
    ...items.map((Item) => ({ Put: { TableName: table.name, Item, ...unchangedSince(undefined) } })),
  ]);
  if (refused.some(({ label }) => label === 'currency')) return { outcome: 'currency_changed' };
  return refused.length > 0 ? undefined : { outcome: 'created', price };
}

/** The fields of the price itself, without its stock. */
function fieldsOf({ capacity: _stock, currency: _fixed, ...fields }: PriceDraft) {
  return fields;
}

async function update(
  table: Table,
  orgId: string,
  before: PriceRecord,
  { draft, stock }: { readonly draft: PriceDraft; readonly stock: Stock },
): Promise<SavedPrice | undefined> {
  const { capacity } = draft;
  const taken = stock.capacity - stock.avail;
  const isLess = capacity < stock.capacity;
  if (isLess && !(await gatherStock(table, orgId, before, stock.capacity - capacity))) {
    return capacity < taken ? { outcome: 'capacity_taken', taken } : undefined;
  }
  const stockSlices = Math.max(before.stockSlices, slicesOf(capacity));
  const changed = { ...before, ...fieldsOf(draft), stockSlices };
  const isSame = isSameRecord(before, changed);
  const price = isSame ? before : { ...changed, version: before.version + 1 };
  const Item = priceItem(orgId, price);
  const refused = await transact(table, [
    ...(isSame ? [] : [{ Put: { TableName: table.name, Item, ...unchangedSince(before) } }]),
    ...changeCapacity(table, orgId, price, { from: stock.capacity, to: capacity }),
  ]);
  return refused.length > 0 ? undefined : { outcome: 'updated', price };
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

async function stockOf(table: Table, orgId: string, { eventId, index }: PriceRecord): Promise<Stock> {
  const stocks = await readStock(table, orgId, eventId);
  return stocks.get(index) ?? { avail: 0, capacity: 0 };
}
