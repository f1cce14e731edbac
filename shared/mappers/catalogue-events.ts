import type { EventRecord } from '../domain/events/event.ts';
import type { PriceRecord } from '../domain/prices/price.ts';
import { eventFields } from '../operations/catalogue/event-fields.ts';
import { priceFields } from '../operations/catalogue/price-fields.ts';
import { changedFields } from './changed-fields.ts';
import { type EventOrganiser, eventResource } from './event.ts';
import { type PriceContext, priceResource } from './price.ts';

/** The event that announces a new event of the catalogue. */
export function eventCreated(organisation: EventOrganiser, event: EventRecord) {
  return { type: 'event.created', data: { event: eventResource(organisation, event) } } as const;
}

/** With the name of the venue: a mail about a moved event needs the old one too, and `previous` is all that still knows it. */
const eventNames = [...Object.keys(eventFields), 'venue_name', 'event_status_id'];

/** The event that announces what changed of an event, in the words of the API. */
export function eventUpdated(organisation: EventOrganiser, before: EventRecord, after: EventRecord) {
  const event = eventResource(organisation, after);
  const changes = changedFields(eventResource(organisation, before), event, eventNames);
  return { type: 'event.updated', data: { event, ...changes } } as const;
}

/** A capacity is a number of tickets: it changes like the stock, and nobody is told. */
const priceNames = Object.keys(priceFields).filter((name) => name !== 'capacity');

/** The event that announces what changed of a price; undefined if it was only the capacity. */
export function priceUpdated(before: PriceRecord, after: PriceRecord, context: PriceContext) {
  const price = priceResource(after, context);
  // A price that sells out stays active: selling out does not change the price.
  const was = { ...priceResource(before, context), status: before.status };
  const changes = changedFields(was, { ...price, status: after.status }, priceNames);
  if (changes.changed.length === 0) return undefined;
  return { type: 'price.updated', data: { event_id: String(after.eventId), price, ...changes } } as const;
}
