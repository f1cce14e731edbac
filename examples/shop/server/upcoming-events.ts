import type { Gateline } from '../../site/server/gateline.ts';

interface UpcomingEvent {
  readonly event_id: string;
  readonly event_status_id: string;
  readonly utc_event_start_date: string;
}

/** Tickets are sold, and gates are open, until half a day after the start. */
const openAfterStartMs = 12 * 3_600_000;

/** The events of a list that are not over, the latest start first. */
export async function upcomingEvents(
  gateline: Gateline,
  list: string,
  nowMs: number,
): Promise<readonly UpcomingEvent[]> {
  const events: UpcomingEvent[] = [];
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const path = `${list}limit=100&page_number=${page}`;
    const { data, has_more } = await gateline.call<{ data: readonly UpcomingEvent[]; has_more: boolean }>('GET', path);
    const current = data.filter((event) => Date.parse(event.utc_event_start_date) > nowMs - openAfterStartMs);
    events.push(...current);
    // The latest start comes first, so all later pages are over.
    hasMore = has_more && current.length === data.length;
  }
  return events;
}
