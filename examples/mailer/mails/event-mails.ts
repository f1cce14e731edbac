import type { Facts } from '../render.ts';
import { type Announced, mailTo, type Office, type PlannedPage } from './planned.ts';

interface Event {
  readonly event_id: string;
  readonly title: string;
  readonly venue_name: string | null;
  readonly utc_event_start_date: string;
  readonly timezone: string;
  readonly event_status_id: string;
}

const cancelled = '3';

/** Where and when an event is, as it is now; an order of memberships has none. */
export async function eventFacts(eventId: string | null, office: Office): Promise<Facts> {
  const event = eventId === null ? undefined : await office.gateline.find<Event>(`/v1/events/${eventId}`);
  return event === undefined
    ? { event: false, start: false, venue: false, cancelled: false }
    : { ...factsOf(event, office), cancelled: event.event_status_id === cancelled };
}

const factsOf = ({ title, utc_event_start_date, timezone, venue_name }: Event, { words }: Office): Facts => ({
  event: title,
  start: words.time(utc_event_start_date, timezone),
  venue: venue_name ?? '',
});

export interface EventNews {
  readonly event: Event;
  readonly changed?: readonly string[];
  readonly previous?: Partial<Event>;
  readonly refund?: string;
  readonly reason?: string | null;
}

/** What makes people come at another time or to another place. */
const told = ['utc_event_start_date', 'venue_id', 'venue_name', 'title'];

/** Mails for everybody who has a ticket, page by page: undefined if nobody needs to know. */
export function kindOfEventMail({ type, data }: Announced<EventNews>): 'event_cancelled' | 'event_changed' | undefined {
  if (type === 'event.cancelled') return 'event_cancelled';
  const isTold = data.changed?.some((name) => told.includes(name)) && data.event.event_status_id !== cancelled;
  return type === 'event.updated' && isTold ? 'event_changed' : undefined;
}

interface Holders {
  readonly next_cursor: string | null;
  readonly data: readonly { readonly to_notify: boolean; readonly holder_email: string | null }[];
}

const pageSize = 500;

export async function eventMails(
  event: Announced<EventNews>,
  office: Office,
  cursor: string | null,
): Promise<PlannedPage> {
  const kind = kindOfEventMail(event);
  if (kind === undefined) return { mails: [], next: null };
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const path = `/v1/events/${event.data.event.event_id}/tickets?addresses=true&limit=${pageSize}${after}`;
  const page = await office.gateline.find<Holders>(path);
  const facts = factsOfChange(event, office);
  // Somebody with several tickets gets one mail: the mailer sends one for each event and address.
  const holders = page?.data.filter(({ to_notify }) => to_notify) ?? [];
  return {
    mails: holders.flatMap(({ holder_email }) => mailTo(holder_email, kind, facts)),
    next: page?.next_cursor ?? null,
  };
}

function factsOfChange({ data }: Announced<EventNews>, office: Office): Facts {
  const { event, previous = {}, refund, reason } = data;
  const was = factsOf({ ...event, ...previous }, office);
  const now = factsOf(event, office);
  const differs = (name: string): Facts => ({ [`old_${name}`]: was[name] !== now[name] && (was[name] ?? false) });
  const old = { ...differs('event'), ...differs('start'), ...differs('venue') };
  return { ...now, ...old, refunded: refund !== undefined && refund !== 'none', reason: reason ?? false };
}
