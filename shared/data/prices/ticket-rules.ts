import type { EventRecord } from '../../domain/events/event.ts';
import type { PriceRecord } from '../../domain/prices/price.ts';
import { type BarcodeTimes, barcodeTimes } from '../../domain/prices/ticket-rules.ts';
import { parseEvent } from '../events/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { pricedEventKey, priceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parsePrice } from './row.ts';

interface EventPrices {
  /** Undefined if the event does not exist. */
  readonly event: EventRecord | undefined;
  /** Those that exist. */
  readonly prices: readonly PriceRecord[];
}

/** Reads an event and some of its prices, by index, with one call: the rules for their tickets. */
export async function readTicketRules(
  table: Table,
  orgId: string,
  eventId: number,
  indexes: Iterable<number>,
): Promise<EventPrices> {
  const event = pricedEventKey(orgId, eventId);
  const keys = [...new Set(indexes)].map((index) => priceKey(orgId, eventId, index));
  const items = await batchGet(table, [event, ...keys], { consistent: false });
  const found = items.find(({ sk }) => sk === event.sk);
  return { event: found && parseEvent(found), prices: items.filter((item) => item !== found).map(parsePrice) };
}

/** When fans see the barcodes of some tickets of an event. Without tickets nothing is read. */
export async function readBarcodeTimes(
  table: Table,
  orgId: string,
  eventId: number | null,
  tickets: readonly { readonly priceIndex: number }[],
): Promise<BarcodeTimes> {
  if (eventId === null || tickets.length === 0) return new Map();
  const indexes = tickets.map(({ priceIndex }) => priceIndex);
  const { event, prices } = await readTicketRules(table, orgId, eventId, indexes);
  return barcodeTimes(prices, event);
}
