import type { Gateline } from '../../site/server/gateline.ts';

interface GateEvent {
  readonly event_id: string;
  readonly event_status_id: string;
  readonly utc_event_start_date: string;
}

/** Published ones, and those whose sale is closed. */
const scanned = ['1', '3'];
/** A gate stays open until half a day after the start. */
const openAfterStartMs = 12 * 3_600_000;

/**
 * The events that gates scan, the next one first: also private ones, which the storefront token does not see. Undefined for somebody who
 * has no gate token of this organisation.
 */
export async function gateEvents(
  gateline: Gateline,
  { apiUrl, nowMs }: { readonly apiUrl: string; readonly nowMs: number },
  authorization: string | undefined,
): Promise<object | undefined> {
  if (authorization?.startsWith('Bearer gl_gate_') !== true) return undefined;
  const events: GateEvent[] = [];
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const path = `/v1/events?event_status_id=all&limit=100&page_number=${page}`;
    const { data, has_more } = await gateline.call<{ data: readonly GateEvent[]; has_more: boolean }>('GET', path);
    const current = data.filter((event) => Date.parse(event.utc_event_start_date) > nowMs - openAfterStartMs);
    events.push(...current.filter(({ event_status_id }) => scanned.includes(event_status_id)));
    // The latest start comes first, so all later pages are over.
    hasMore = has_more && current.length === data.length;
  }
  const [first] = events;
  if (first === undefined) return { data: [] };
  // The service knows this token if it may read the list of the event (200), or may only scan (403).
  const probe = `${apiUrl}/v1/events/${first.event_id}/tickets?limit=1`;
  const { status } = await fetch(probe, { headers: { Authorization: authorization } });
  return status === 200 || status === 403 ? { data: events.reverse() } : undefined;
}
