import { eventFacts } from './event-mails.ts';
import { mailTo, type Office, type Plan } from './planned.ts';

interface Entry {
  readonly entry_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly email: string;
  readonly confirm_token?: string | null;
  readonly basket_id: string | null;
  readonly offered_quantity: number | null;
  readonly offer_expires_at: number;
}

type Waiting = Plan<{ readonly waiting_list_entry: Entry }>;

/** An address that a page has typed has to be confirmed. Whoever joined by a key or signed in is not written to. */
export const confirmMail: Waiting = async ({ data: { waiting_list_entry: entry } }, office) => {
  if (entry.status !== 'unconfirmed') return [];
  const now = await findEntry(office, entry);
  if (now?.status !== 'unconfirmed' || !now.confirm_token) return [];
  return mailTo(entry.email, 'waiting_confirm', {
    ...(await eventFacts(entry.event_id, office)),
    link: `${office.shopUrl}/confirm/${entry.event_id}/${entry.entry_id}#${now.confirm_token}`,
  });
};

async function findEntry({ gateline }: Office, { event_id, entry_id }: Entry): Promise<Entry | undefined> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/events/${event_id}/waiting_list${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const page = await gateline.find<{ data: readonly Entry[]; next_cursor: string | null }>(path);
    const found = page?.data.find((entry) => entry.entry_id === entry_id);
    if (found !== undefined) return found;
    cursor = page?.next_cursor ?? null;
  }
  return undefined;
}

export const heldMail: Waiting = async ({ data: { waiting_list_entry: entry } }, office) => {
  const path = `/v1/baskets/${entry.basket_id}`;
  const basket = await office.gateline.find<{ basket_token?: string | null }>(path);
  // Without a shop of the organisation there is no token, so the link would lead nowhere.
  if (!basket?.basket_token) return [];
  return mailTo(entry.email, 'waiting_offered', {
    ...(await eventFacts(entry.event_id, office)),
    quantity: String(entry.offered_quantity),
    until: office.words.time(entry.offer_expires_at),
    link: `${office.shopUrl}/kept/${entry.basket_id}#${basket.basket_token}`,
  });
};

export const endedMail: Waiting = async ({ data: { waiting_list_entry: entry } }, office) =>
  mailTo(entry.email, 'waiting_ended', {
    ...(await eventFacts(entry.event_id, office)),
    link: `${office.shopUrl}/events/${entry.event_id}`,
  });
