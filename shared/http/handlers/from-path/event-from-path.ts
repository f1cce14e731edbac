import { readPriceContext, type SavedPriceContext } from '../../../catalogue/price-context.ts';
import { type EventFigures, readEventFigures } from '../../../data/counters/event-figures.ts';
import { readEvent } from '../../../data/events/read.ts';
import {
  type EventWithCategories,
  type PricedEvent,
  readEventWithCategories,
  readPricedEvent,
} from '../../../data/prices/read.ts';
import type { Table } from '../../../data/table/table.ts';
import { type EventRecord, isInCatalogue } from '../../../domain/events/event.ts';
import { parseId } from '../../../domain/ids.ts';
import { notFound } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** Reads the event of a path. A malformed id, a missing event and another organisation's event are the same 404. */
export async function readEventFromPath(table: Table, orgId: string, eventId: string): Promise<EventRecord> {
  return orNotFound(await readEvent(table, orgId, parseEventId(eventId)));
}

/** To a storefront token, an event that is not public looks like a missing one. */
export function checkIsVisible({ kind }: Caller, event: EventRecord): void {
  if (kind === 'storefront' && !isInCatalogue(event)) throw notFound('event');
}

/** Reads the event with its prices in one query, or throws the 404. A handler reads other figures of the event at the same time. */
export async function requirePricedEvent(table: Table, orgId: string, eventId: number): Promise<PricedEvent> {
  return orNotFound(await readPricedEvent(table, orgId, eventId));
}

/** Reads what a response shows of the event's prices, or throws the 404. */
export async function requirePriceContext(table: Table, orgId: string, eventId: number): Promise<SavedPriceContext> {
  return orNotFound(await readPriceContext(table, orgId, eventId));
}

/** Reads what the statistics of the event are sums of, or throws the 404. */
export async function requireEventFigures(table: Table, orgId: string, eventId: number): Promise<EventFigures> {
  return orNotFound(await readEventFigures(table, orgId, eventId));
}

/** Reads the event with its price categories in one query, or throws the 404. */
export async function requireEventWithCategories(
  table: Table,
  orgId: string,
  eventId: number,
): Promise<EventWithCategories> {
  return orNotFound(await readEventWithCategories(table, orgId, eventId));
}

/** Parses the event id of a path. The event may not exist. */
export function parseEventId(eventId: string): number {
  return orNotFound(parseId(eventId));
}

function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound('event');
  return value;
}
