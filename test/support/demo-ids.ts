import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { RunningGateline } from '../../local/commands/running.ts';

const Listed = v.object({ data: v.array(v.looseObject({})) });
const Codes = v.object({ data: v.tupleWithRest([v.object({ code: v.string() })], v.unknown()) });
const Members = v.tupleWithRest([v.object({ membership_member_id: v.number() })], v.unknown());
const Tickets = v.tupleWithRest([v.object({ ticket_id: v.number() })], v.unknown());

/** Ids of the running demo, by the name of their parameter. A basket, a job, a code and a member with a payment plan are made for it. */
export async function demoIdsOf(running: RunningGateline): Promise<Readonly<Record<string, unknown>>> {
  const first = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
    v.parse(Listed, await running.call('GET', path)).data[0] ?? {};
  const orders = v.parse(Listed, await running.call('GET', '/v1/orders?order_status=confirmed')).data;
  const order = v.parse(
    v.looseObject({}),
    orders.find(({ tickets }) => v.is(Tickets, tickets)),
  );
  const [customer, document] = [await first('/v1/customers'), await first('/v1/documents')];
  const basket = await running.call('POST', '/v1/baskets', { org: running.orgId });
  const draft = { title: 'Friendly', utc_event_start_date: '2100-01-09T09:30:00Z', currency: 'AUD' };
  const { event_id } = await running.call('POST', '/v1/events', draft);
  const job = await running.call('POST', `/v1/events/${event_id}/cancel`, { refund: 'all', reason: 'Storm' });
  const effect = { kind: 'percent', value: 20 };
  const campaign = await running.call('POST', '/v1/code_campaigns', { title: 'Sponsors', effect, uses_per_code: 5 });
  const codes = await running.call('POST', `/v1/code_campaigns/${campaign.code_campaign_id}/codes`, { count: 1 });
  return {
    code: v.parse(Codes, codes).data[0].code,
    ticket_id: v.parse(Tickets, order.tickets)[0].ticket_id,
    event_id: order.event_id,
    order_id: String(order.order_id),
    customer_id: customer.org_customer_id,
    user_id: customer.user_id,
    membership_member_id: await memberInInstalments(running),
    basket_id: basket.id,
    job_id: job.job_id,
    document_id: document.document_id,
  };
}

/** No member of the demo pays by instalments. */
async function memberInInstalments(running: RunningGateline): Promise<string> {
  const { data: types } = v.parse(Listed, await running.call('GET', '/v1/membership_types'));
  const membership_type_id = types.find(({ persons, status }) => persons === 1 && status === 1)?.membership_type_id;
  const { id } = await running.call('POST', '/v1/baskets', { org: running.orgId });
  await running.call('POST', `/v1/baskets/${id}/items`, { membership_type_id, quantity: 1 });
  const { memberships } = await running.call('POST', `/v1/baskets/${id}/checkout`, {
    customer: { email: `grace.${randomUUID()}@example.com`, first_name: 'Grace', last_name: 'Hopper' },
    payment_method: 'pm_card_visa',
    membership_payment_option_id: 'six-monthly',
    consent: true,
    consent_text: 'The club may charge five more instalments to my card, one each month.',
  });
  return String(v.parse(Members, memberships)[0].membership_member_id);
}

/** A price of a published event with numbered seats: the events of the club's demo have none. */
export async function seatedPriceOf(running: RunningGateline): Promise<unknown> {
  const sections = [{ section: 'Stalls', zone: 'House', rows: [{ row: 'A', seats: '1-12' }] }];
  const { seat_map_id } = await running.call('POST', '/v1/seat_maps', { title: 'Club hall', sections });
  const event = { title: 'Gala', utc_event_start_date: '2100-01-09T09:30:00Z', currency: 'AUD', seat_map_id };
  const { event_id } = await running.call('POST', '/v1/events', { ...event, reserved_seating: true });
  const path = `/v1/events/${event_id}`;
  const category = await running.call('POST', `${path}/price_categories`, { title: 'House', zone: 'House' });
  const { price_category_id } = category;
  const { price_id } = await running.call('POST', `${path}/prices`, { price_category_id, title: 'Adult', price: 60 });
  await running.call('PATCH', path, { event_status_id: 1 });
  return price_id;
}
