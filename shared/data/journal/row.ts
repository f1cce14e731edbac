import * as v from 'valibot';
import type { Account, JournalEntry, JournalKind, PriceMoney } from '../../domain/journal/entry.ts';
import { shardOf } from '../lists/sharded-list.ts';
import { EnteredTender, parsedTender, storedTender } from '../orders/tender-row.ts';
import { eventJournalPartition, type ItemKey, journalKey, orderJournalPartition } from '../table/keys.ts';
import { openEnum } from '../table/row.ts';

/** Nothing decides by the kind of an entry, so one of a later release is shown as it is. */
const StoredEntry = v.object({
  sk: v.string(),
  kind: openEnum<JournalKind>(),
  at: v.number(),
  order: v.number(),
  event: v.optional(v.number()),
  cur: v.string(),
  sold: v.optional(v.string(), ''),
  mems: v.optional(v.string(), ''),
  fee: v.optional(v.number(), 0),
  money: v.record(openEnum<Account>(), v.number()),
  tend: v.optional(EnteredTender),
});

/**
 * The row of an entry. Index by1 lists the entries of an event, index by2 those of an order. With four write units for an order,
 * the row has to fit into one KB for every order: so the money of a price is one short text.
 */
export function entryItem(orgId: string, entry: JournalEntry): ItemKey & Readonly<Record<string, unknown>> {
  const { entryId, eventId, orderId } = entry;
  return {
    ...journalKey(orgId, shardOf(entryId), entryId),
    ...(eventId !== null && { by1pk: eventJournalPartition(orgId, eventId), by1sk: entryId, event: eventId }),
    by2pk: orderJournalPartition(orgId, orderId),
    by2sk: entryId,
    kind: entry.kind,
    at: entry.atUnix,
    order: orderId,
    cur: entry.currency,
    ...(entry.prices.length > 0 && {
      sold: entry.prices.map((price) => encode(price.priceId - (eventId ?? 0), price)).join(','),
    }),
    ...(entry.types.length > 0 && { mems: entry.types.map((type) => encode(type.typeId, type)).join(',') }),
    ...(entry.transactionFeeMinor !== 0 && { fee: entry.transactionFeeMinor }),
    money: entry.money,
    ...(entry.tender !== undefined && { tend: storedTender(entry.tender) }),
  };
}

export function parseEntry(item: unknown): JournalEntry {
  const stored = v.parse(StoredEntry, item);
  const eventId = stored.event ?? null;
  return {
    entryId: stored.sk,
    atUnix: stored.at,
    kind: stored.kind,
    orderId: stored.order,
    eventId,
    currency: stored.cur,
    prices: decode(stored.sold).map(({ id, ...money }) => ({ priceId: id + (eventId ?? 0), ...money })),
    types: decode(stored.mems).map(({ id, ...money }) => ({ typeId: id, ...money })),
    transactionFeeMinor: stored.fee,
    money: stored.money,
    ...(stored.tend !== undefined && { tender: parsedTender(stored.tend) }),
  };
}

type SoldMoney = Omit<PriceMoney, 'priceId'>;

/** `3:2:5000:833:600:60`: two tickets of price 3 for 50.00, with 8.33 of tax, and fees of 6.00 and 0.60. Of memberships, the id of their type. */
function encode(id: number, sold: SoldMoney): string {
  const { quantity, netMinor, taxMinor, serviceFeeMinor, serviceTaxMinor } = sold;
  return [id, quantity, netMinor, taxMinor, serviceFeeMinor, serviceTaxMinor].join(':');
}

function decode(texts: string): readonly (SoldMoney & { readonly id: number })[] {
  const sold = texts === '' ? [] : texts.split(',');
  return sold.map((text) => {
    const [id = 0, quantity = 0, netMinor = 0, taxMinor = 0, serviceFeeMinor = 0, serviceTaxMinor = 0] = text
      .split(':')
      .map(Number);
    return { id, quantity, netMinor, taxMinor, serviceFeeMinor, serviceTaxMinor };
  });
}
