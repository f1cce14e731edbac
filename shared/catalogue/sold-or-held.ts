import { hasOrders } from '../data/orders/has-orders.ts';
import { readStock } from '../data/prices/stock.ts';
import { readSections, sectionsOf } from '../data/seats/shown.ts';
import { readMapOfEvent } from '../data/seats/stock.ts';
import type { Table } from '../data/table/table.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { isSoldOrHeldBy } from '../domain/seats/seat-moves.ts';

type Seated = Pick<EventRecord, 'eventId' | 'seatingMapId' | 'seatingVersion'>;

/**
 * Whether a ticket of the event was ever sold, or is held in a basket. A checkout holds its tickets before it reads the event,
 * and until it has become an order. So if nothing is sold or held, every later order is one of the event as it is then.
 */
export async function isSoldOrHeld(table: Table, orgId: string, event: Seated): Promise<boolean> {
  const { eventId } = event;
  const [isSold, stocks, hasSeats] = await Promise.all([
    hasOrders(table, orgId, eventId),
    readStock(table, orgId, eventId),
    hasTakenSeats(table, orgId, event),
  ]);
  return isSold || hasSeats || [...stocks.values()].some(({ avail, capacity }) => avail < capacity);
}

async function hasTakenSeats(table: Table, orgId: string, event: Seated): Promise<boolean> {
  const map = await readMapOfEvent(table, orgId, event);
  if (map === undefined) return false;
  const taken = await readSections(table, orgId, { eventId: event.eventId, sections: sectionsOf(map) });
  return [...taken.values()].flat().some(({ owners }) => [...owners.values()].some(isSoldOrHeldBy));
}
