import type { EventRecord } from '../domain/events/event.ts';
import type { PriceRecord } from '../domain/prices/price.ts';
import { eventFields } from '../operations/catalogue/event-fields.ts';
import { priceFields } from '../operations/catalogue/price-fields.ts';
import { type EventOrganiser, eventResource } from './event.ts';
import { type PriceContext, priceResource } from './price.ts';

type Value = string | number | boolean | null;

/** The names of the fields that differ, and their values before. */
function difference(before: object, after: object, names: readonly string[]) {
  const [was, is] = [new Map<string, Value>(Object.entries(before)), new Map<string, Value>(Object.entries(after))];
  const changed = names.filter((name) => was.get(name) !== is.get(name));
  return { changed, previous: Object.fromEntries(changed.map((name) => [name, was.get(name) ?? null])) };
}

/** The event that announces a new event of the catalogue. */
export function eventCreated(organisation: EventOrganiser, event: EventRecord) {
  return { type: 'event.created', data: { event: eventResource(organisation, event) } } as const;
}

const eventNames = [...Object.keys(eventFields), 'event_status_id'];

/** The event that announces what changed of an event, in the words of the API. */
export function eventUpdated(organisation: EventOrganiser, before: EventRecord, after: EventRecord) {
  const event = eventResource(organisation, after);
  const changes = difference(eventResource(organisation, before), event, eventNames);
  return { type: 'event.updated', data: { event, ...changes } } as const;
}

/** A capacity is a number of tickets: it changes like the stock, and nobody is told. */
const priceNames = Object.keys(priceFields).filter((name) => name !== 'capacity');

/** The event that announces what changed of a price; undefined if it was only the capacity. */
export function priceUpdated(before: PriceRecord, after: PriceRecord, context: PriceContext) {
  const price = priceResource(after, context);
  // A price that is sold out is active: that is no change of the price.
  const was = { ...priceResource(before, context), status: before.status };
  const changes = difference(was, { ...price, status: after.status }, priceNames);
  if (changes.changed.length === 0) return undefined;
  return { type: 'price.updated', data: { event_id: String(after.eventId), price, ...changes } } as const;
}
