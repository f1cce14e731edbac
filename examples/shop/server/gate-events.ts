import type { ClubEvent } from '../../site/browser/resources.ts';
import type { Gateline } from '../../site/server/gateline.ts';
import { type EventPage, eventsAfter } from '../browser/state/sale.ts';

type ScannedEvent = ClubEvent & { readonly event_status_id: string };

/** Published ones, and those whose sale is closed. */
const scanned = ['1', '3'];

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
  const all = await eventsAfter(nowMs, (page) =>
    gateline.call<EventPage<ScannedEvent>>('GET', `/v1/events?event_status_id=all&${page}`),
  );
  const events = all.filter(({ event_status_id }) => scanned.includes(event_status_id));
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
