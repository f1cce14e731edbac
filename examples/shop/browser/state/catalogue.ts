import type { ClubEvent, List, Phase, Price } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { answerOf, retried, send } from '../../../site/browser/state/request.ts';
import { askShop, call } from './api.ts';
import { type EventPage, eventsAfter, needsOf, type Sale, withLeft } from './sale.ts';
import { signedIn } from './session.ts';

/** The events that are not over, the next one first. The service lists the latest start first. */
export async function upcomingEvents(): Promise<readonly ClubEvent[]> {
  return (await eventsAfter(nowMs(), (page) => call<EventPage<ClubEvent>>('GET', `/v1/events?${page}`))).toReversed();
}

/** The events that a gate scans, also private ones: the shop's server asks for them, if this is a gate token. */
export async function gateEvents(gateToken: string): Promise<readonly ClubEvent[]> {
  const load = async () =>
    answerOf<List<ClubEvent>>(await send('/gate/events', { headers: { Authorization: `Bearer ${gateToken}` } }));
  return (await retried(load, 3)).data;
}

/** The browser may use a copy of an answer for ten seconds. Fresh is without a copy. */
export function event(eventId: string, { fresh = false } = {}): Promise<ClubEvent> {
  return call<ClubEvent>('GET', `/v1/events/${eventId}`, { fresh });
}

interface PriceOptions {
  readonly fresh?: boolean;
  /** The code of the fan: it shows the prices that only this code reveals. */
  readonly code?: string | undefined;
}

/** What is offered of an event. */
export interface Offer {
  readonly prices: readonly Price[];
  /** The phases of the sale; none if the event has none. */
  readonly phases: readonly Phase[];
}

/** The prices of an event. Each says whether the fan may buy it now, and what is missing. */
export async function offerOf(eventId: string, { fresh = false, code }: PriceOptions = {}): Promise<Offer> {
  const offered = await prices(eventId, { fresh, code });
  const hasPhases = offered.some((price) => price.phase_id !== null || price.next_phase_from_unix !== null);
  const isScarce = offered.some(({ few_left, status }) => few_left && status === 'active');
  const [phases, left] = await Promise.all([
    hasPhases ? call<List<Phase>>('GET', `/v1/events/${eventId}/phases`).then(({ data }) => data) : [],
    isScarce ? ticketsLeft(eventId) : noNumbers,
  ]);
  return { prices: offered.map((price) => withLeft(forGuest(price, phases, code), left[price.price_id])), phases };
}

/** Somebody who is not signed in is told by the price and its phase what is needed. The service judges a code. */
function forGuest(price: Price, phases: readonly Phase[], code: string | undefined): Price {
  if (price.eligible !== undefined) return price;
  const missing = needsOf(price, phases).filter((need) => need !== 'code' || code === undefined);
  return { ...price, eligible: missing.length === 0, missing };
}

const noNumbers: Readonly<Record<number, number>> = {};

/** How many tickets are left, by price, where that is few. A page without these numbers is still true. */
const ticketsLeft = (eventId: string): Promise<typeof noNumbers> =>
  askShop<typeof noNumbers>(`/events/${eventId}/left.json`).catch(() => noNumbers);

/** The sale of each event, by its id. Empty if the shop's server does not know it. */
export const sales = (): Promise<Readonly<Record<string, Sale>>> =>
  askShop<Readonly<Record<string, Sale>>>('/sales.json').catch(() => ({}));

/** To a fan who is signed in, each price says whether the fan may buy it now. */
async function prices(eventId: string, { fresh = false, code }: PriceOptions): Promise<readonly Price[]> {
  const query = code === undefined ? '' : `?code=${encodeURIComponent(code)}`;
  try {
    const { data } = await call<List<Price>>('GET', `/v1/events/${eventId}/prices${query}`, { fresh, ...signedIn() });
    return !fresh && data.some(isOld) ? prices(eventId, { fresh: true, code }) : data.map(withCode);
  } catch (error) {
    // The code in the basket stays, also when its campaign has ended.
    if (code !== undefined && hasCode(error, 'code_unknown', 'code_expired')) return prices(eventId, { fresh });
    throw error;
  }
}

/** What the fan pays with the code in the basket is the price that the pages show. */
const withCode = (price: Price): Price => ({
  ...price,
  total_price: price.total_price - (price.code_reduction ?? 0),
});

/** Whether a phase has opened since the browser kept its copy. */
const isOld = ({ next_phase_from_unix: next }: Price): boolean => next !== null && next * 1000 <= nowMs();
