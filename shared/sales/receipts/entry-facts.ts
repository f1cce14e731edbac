import { readBasket } from '../../data/baskets/baskets.ts';
import { readEvents } from '../../data/events/read.ts';
import { readOrder } from '../../data/orders/read.ts';
import { receiptsOfOrder } from '../../data/receipts/read.ts';
import type { Table } from '../../data/table/table.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { JournalEntry } from '../../domain/journal/entry.ts';
import { buyersOf } from '../../domain/orders/invoice-address.ts';
import type { SaleFacts } from '../../domain/receipts/compose.ts';
import { documentKindsOf, type IssueFacts } from '../../domain/receipts/issued.ts';
import { soldLines } from '../../domain/receipts/sold-lines.ts';

/** What the documents of an entry are made of. The seller is a setting. */
export interface EntryFacts extends Omit<IssueFacts, 'sale'> {
  readonly sale?: Omit<SaleFacts, 'seller'>;
}

/** Reads what the entries need that have a document, all at once. */
export async function readFacts(
  table: Table,
  orgId: string,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<JournalEntry, EntryFacts>> {
  const documented = entries.filter((entry) => documentKindsOf(entry).length > 0);
  const sold = documented.filter(({ kind }) => kind === 'sale');
  const eventIds = new Set(sold.flatMap(({ eventId }) => (eventId === null ? [] : [eventId])));
  const events = await readEvents(table, orgId, eventIds);
  const facts = documented.map(async (entry): Promise<[JournalEntry, EntryFacts]> => {
    const event = entry.eventId === null ? undefined : events.get(entry.eventId);
    return [entry, await factsOf(table, orgId, entry, event)];
  });
  return new Map(await Promise.all(facts));
}

async function factsOf(
  table: Table,
  orgId: string,
  entry: JournalEntry,
  event: EventRecord | undefined,
): Promise<EntryFacts> {
  const { kind, orderId, currency, atUnix } = entry;
  if (kind === 'sale') {
    // The basket of an order keeps what was sold, with titles and tax rates of then.
    const [basket, order] = await Promise.all([readBasket(table, orgId, orderId), readOrder(table, orgId, orderId)]);
    const of = event && { title: event.title, startUnix: event.startUnix, timezone: event.timezone };
    const sold = soldLines(basket?.lines ?? [], { currency, event: of ?? null });
    return { sale: { buyer: buyersOf(order ?? {}, atUnix).atSale, sold }, documents: [] };
  }
  const documents = await receiptsOfOrder(table, orgId, orderId);
  // A credit note copies its buyer.
  if (documentKindsOf(entry).every((one) => one === 'credit_note')) return { documents };
  const order = await readOrder(table, orgId, orderId);
  return { documents, laterBuyer: buyersOf(order ?? {}, atUnix).later };
}
