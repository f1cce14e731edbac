import type { ClubEvent, List, Price } from '../resources.ts';
import { call } from './api.ts';
import { nowMs } from './config.ts';

/** The service sells tickets until 12 hours after the start. */
const onSaleAfterStartMs = 12 * 3_600_000;

interface EventPage extends List<ClubEvent> {
  readonly has_more: boolean;
}

/** The events that are not over, the next one first. The service lists the latest start first. */
export async function upcomingEvents(): Promise<readonly ClubEvent[]> {
  const events: ClubEvent[] = [];
  for (let page = 1; ; page += 1) {
    const { data, has_more } = await call<EventPage>('GET', `/v1/events?limit=100&page_number=${page}`);
    events.push(...data.filter((event) => Date.parse(event.utc_event_start_date) > nowMs() - onSaleAfterStartMs));
    if (!has_more) return events.reverse();
  }
}

/** The browser may use a copy of an answer for ten seconds. Fresh is without a copy. */
export function event(eventId: string, { fresh = false } = {}): Promise<ClubEvent> {
  return call<ClubEvent>('GET', `/v1/events/${eventId}`, { fresh });
}

export async function prices(eventId: string, { fresh = false } = {}): Promise<readonly Price[]> {
  return (await call<List<Price>>('GET', `/v1/events/${eventId}/prices`, { fresh })).data;
}
