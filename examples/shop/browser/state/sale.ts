import type { ClubEvent, List, Missing, Phase, Price } from '../../../site/browser/resources.ts';

/** Tickets are sold, and gates are open, until half a day after the start. */
const openAfterStartMs = 12 * 3_600_000;

export interface EventPage<Event> extends List<Event> {
  readonly has_more: boolean;
}

/** The events of a list that are not over, the latest start first, as the service lists them. */
export async function eventsAfter<Event extends Pick<ClubEvent, 'utc_event_start_date'>>(
  nowMs: number,
  read: (page: string) => Promise<EventPage<Event>>,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const { data, has_more } = await read(`limit=100&page_number=${page}`);
    const current = data.filter((event) => Date.parse(event.utc_event_start_date) > nowMs - openAfterStartMs);
    events.push(...current);
    // The latest start comes first, so all later pages are over.
    hasMore = has_more && current.length === data.length;
  }
  return events;
}

/** The sale of an event: to whom it is open now, and if to nobody, from when. */
export interface Sale {
  readonly to: 'everyone' | Missing | null;
  readonly from_unix: number | null;
}

/** What a buyer needs for a price now: for the price itself, or in the phase that is open. */
export function needsOf(price: Price, phases: readonly Phase[]): readonly Missing[] {
  const requires = phases.find(({ phase_id }) => phase_id === price.phase_id)?.requires;
  const isForMembers = price.membership_type_name !== null || (requires?.membership_type_ids ?? null) !== null;
  return [
    ...(isForMembers ? (['membership'] as const) : []),
    ...((requires?.code_campaign_id ?? null) === null ? [] : (['code'] as const)),
    ...((requires?.attribute ?? null) === null ? [] : (['attribute'] as const)),
  ];
}

/** When a price that is not on sale yet goes on sale; undefined if it is, or was. */
export function startOf(price: Price, nowUnix: number): number | undefined {
  const { phase_id, next_phase_from_unix: nextPhase, available_from_unix: from } = price;
  if (phase_id === null && nextPhase !== null) return nextPhase;
  return from !== null && from > nowUnix ? from : undefined;
}

export const hasEnded = ({ available_until_unix: until }: Price, nowUnix: number): boolean =>
  until !== null && until <= nowUnix;

export function saleOf(prices: readonly Price[], phases: readonly Phase[], nowUnix: number): Sale {
  const offered = prices.filter((price) => price.status === 'active' && !hasEnded(price, nowUnix));
  const starts = offered.flatMap((price) => startOf(price, nowUnix) ?? []);
  const open = offered.filter((price) => startOf(price, nowUnix) === undefined);
  const needs = open.map((price) => needsOf(price, phases)[0] ?? 'everyone');
  const to = (['everyone', 'membership', 'code', 'attribute'] as const).find((one) => needs.includes(one));
  return { to: to ?? null, from_unix: to === undefined && starts.length > 0 ? Math.min(...starts) : null };
}

/** A price with how many are left. The list of prices may be a second older than this number: what has none left is sold out. */
export const withLeft = <Listed extends Pick<Price, 'status'>>(price: Listed, left: number | undefined) =>
  left === 0 && price.status === 'active' ? { ...price, left, status: 'sold_out' } : { ...price, left };
