import * as v from 'valibot';
import { moveTime } from '../run/control.ts';
import type { RunningGateline } from './running.ts';
import type { Sent } from './sent.ts';

const Event = v.object({ event_id: v.string() });
const Category = v.object({ price_category_id: v.number() });
const Price = v.object({ price_id: v.number() });

/** Creates an event with one ticket, which is held, and puts somebody into its waiting list. Returns the price. */
async function joinList(actor: RunningGateline) {
  const start = new Date(Date.now() + 400 * 86_400_000).toISOString();
  const { event_id } = v.parse(
    Event,
    await actor.call('POST', '/v1/events', {
      title: 'Sold out',
      utc_event_start_date: start,
      timezone: 'Australia/Melbourne',
      currency: 'AUD',
    }),
  );
  const path = `/v1/events/${event_id}`;
  const { price_category_id } = v.parse(
    Category,
    await actor.call('POST', `${path}/price_categories`, { title: 'East' }),
  );
  const { price_id } = v.parse(
    Price,
    await actor.call('POST', `${path}/prices`, { title: 'Adult', price: 20, capacity: 1, price_category_id }),
  );
  await actor.call('PATCH', path, { event_status_id: 1 });
  const { id } = v.parse(v.object({ id: v.string() }), await actor.call('POST', '/v1/baskets', { org: actor.orgId }));
  await actor.call('POST', `/v1/baskets/${id}/items`, { price_id, quantity: 1 });
  await actor.call('POST', `${path}/waiting_list`, { price_id, email: 'ada@example.com' });
  return { path, price_id };
}

/** A higher capacity brings a ticket for the person who waits. */
async function offerTicket(actor: RunningGateline): Promise<void> {
  const { path, price_id } = await joinList(actor);
  await actor.call('PATCH', `${path}/prices/${price_id}`, { capacity: 2 });
}

export const waitingListScenarios = {
  'waiting_list.joined': async (actor: RunningGateline) => void (await joinList(actor)),
  'waiting_list.offered': (actor: RunningGateline) => offerTicket(actor),
  'waiting_list.expired': async (actor: RunningGateline, sent: Sent) => {
    await offerTicket(actor);
    await sent(() => moveTime(actor.connection, 8 * 3_600));
  },
};
