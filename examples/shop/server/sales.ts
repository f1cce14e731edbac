import type { ClubEvent, List, Phase, Price } from '../../site/browser/resources.ts';
import type { Gateline } from '../../site/server/gateline.ts';
import { type EventPage, eventsAfter, type Sale, saleOf } from '../browser/state/sale.ts';
import type { Callers } from './callers.ts';

/**
 * The sale of each event that is not over, by its id, as everyone may know it: this is called with the storefront token. It is one request of
 * the page with all events, in place of one for each event.
 */
export async function salesOfEvents(storefront: Gateline, nowMs: number): Promise<Readonly<Record<string, Sale>>> {
  const events = await eventsAfter(nowMs, (page) => storefront.call<EventPage<ClubEvent>>('GET', `/v1/events?${page}`));
  const sales = events.map(async ({ event_id }) => {
    const path = `/v1/events/${event_id}`;
    const { data: prices } = await storefront.call<List<Price>>('GET', `${path}/prices`);
    const hasPhases = prices.some(({ phase_id }) => phase_id !== null);
    const { data: phases } = hasPhases ? await storefront.call<List<Phase>>('GET', `${path}/phases`) : { data: [] };
    return [event_id, saleOf(prices, phases, nowMs / 1000)] as const;
  });
  const read = await Promise.allSettled(sales);
  return Object.fromEntries(read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

/** Below this, fans read how many are left. */
const fewTickets = 10;

/**
 * How many tickets of each price of an event are left, where that is few. Only a key sees numbers: the organisation decides to show these. The
 * storefront token asks first, so nobody sees a price that is not public, or uses up the requests of the key with made-up events.
 */
export async function ticketsLeft(
  { storefront, gateline }: Callers,
  eventId: string,
): Promise<Readonly<Record<string, number>>> {
  const path = `/v1/events/${eventId}/prices`;
  const { data: shown } = await storefront.call<List<Pick<Price, 'price_id'>>>('GET', path);
  const { data } = await gateline.call<List<{ price_id: number; available: number }>>('GET', path);
  const few = data.filter(
    ({ price_id, available }) => available < fewTickets && shown.some((price) => price.price_id === price_id),
  );
  return Object.fromEntries(few.map(({ price_id, available }) => [price_id, available]));
}
