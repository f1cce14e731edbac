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
  const ask = (path: string) => fetch(`${apiUrl}${path}`, { headers: { Authorization: authorization } });
  // Whoever guesses tokens must not use up the requests of the shop's key. No gate token may read the organisation, and the service says so.
  if (!(await isKnown(await ask('/v1/organisation'), 'gate_token_not_allowed'))) return undefined;
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
  // A gate of another organisation does not know this event.
  const answer = await ask(`/v1/events/${first.event_id}/tickets?limit=1`);
  return (await isKnown(answer, 'gate_not_allowed')) ? { data: events.reverse() } : undefined;
}

/**
 * The service knows a token that may do this, or says by its code that a gate may not. A firewall answers 403
 * to any token, if this server sends too many requests.
 */
async function isKnown(answer: Response, code: string): Promise<boolean> {
  if (answer.status !== 403) return answer.ok;
  const body = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly code?: string } };
  return body.error?.code === code;
}
