import * as v from 'valibot';
import type { RunningGateline } from './running.ts';

const Category = v.object({ data: v.array(v.object({ membership_category_id: v.number() })) });
const Type = v.object({ membership_type_id: v.number() });
const Basket = v.object({ id: v.string() });
const Order = v.object({ order_id: v.number() });
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };

/** Buys a membership from which the buyer can withdraw for 14 days. Returns the order. */
async function buyWithdrawable(actor: RunningGateline): Promise<number> {
  const [category] = v.parse(Category, await actor.call('GET', '/v1/membership_categories')).data;
  const sold = { title: 'Supporter', price: 30, currency: 'AUD', term_months: 12, withdrawal_days: 14 };
  const type = v.parse(Type, await actor.call('POST', '/v1/membership_types', { ...category, ...sold }));
  const { id } = v.parse(Basket, await actor.call('POST', '/v1/baskets', { org: actor.orgId }));
  await actor.call('POST', `/v1/baskets/${id}/items`, { ...type, quantity: 1 });
  const body = { customer, payment_method: 'pm_card_visa' };
  return v.parse(Order, await actor.call('POST', `/v1/baskets/${id}/checkout`, body)).order_id;
}

/** The buyer's withdrawal through the organisation's server: in time and unused, so it is received and accepted. */
async function withdraw(actor: RunningGateline): Promise<void> {
  await actor.call('POST', `/v1/orders/${await buyWithdrawable(actor)}/withdrawals`, {});
}

/** The events of withdrawals. */
export const withdrawalScenarios = {
  'order.withdrawal_requested': async (actor: RunningGateline): Promise<void> => {
    const body = { email: customer.email };
    await actor.call('POST', `/v1/orders/${await buyWithdrawable(actor)}/withdrawals`, body, actor.publishableKey);
  },
  'order.withdrawal_received': withdraw,
  'order.withdrawal_decided': withdraw,
};
