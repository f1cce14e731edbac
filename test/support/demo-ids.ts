import * as v from 'valibot';
import type { RunningGateline } from '../../local/commands/running.ts';

const Listed = v.object({ data: v.array(v.looseObject({})) });
const Codes = v.object({ data: v.tupleWithRest([v.object({ code: v.string() })], v.unknown()) });
const Tickets = v.tupleWithRest([v.object({ ticket_id: v.number() })], v.unknown());

/** Ids of the running demo, by the name of their parameter. A basket, a job and a code are made for it. */
export async function demoIdsOf(running: RunningGateline): Promise<Readonly<Record<string, unknown>>> {
  const first = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
    v.parse(Listed, await running.call('GET', path)).data[0] ?? {};
  const order = await first('/v1/orders?order_status=confirmed');
  const customer = await first('/v1/customers');
  const member = await first('/v1/members');
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
    membership_member_id: String(member.membership_member_id),
    basket_id: basket.id,
    job_id: job.job_id,
  };
}
