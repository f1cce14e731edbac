import { readEvent } from '../../data/events/read.ts';
import { type PricedEvent, readPricedEvent } from '../../data/prices/read.ts';
import type { Table } from '../../data/table/table.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { parseId } from '../../domain/ids.ts';
import { notFound } from '../problem.ts';

/** The event that a path names. Whatever names none, also another organisation's event, is the same 404. */
export async function readEventFromPath(table: Table, orgId: string, eventId: string): Promise<EventRecord> {
  return orNotFound(await readEvent(table, orgId, parseEventId(eventId)));
}

/** The event with its prices, which cost nothing more, or the 404. Other figures of the event are read beside it, not after it. */
export async function requirePricedEvent(table: Table, orgId: string, eventId: number): Promise<PricedEvent> {
  return orNotFound(await readPricedEvent(table, orgId, eventId));
}

/** The id that a path names, whether there is such an event or not. */
export function parseEventId(eventId: string): number {
  return orNotFound(parseId(eventId));
}

function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound('event');
  return value;
}
