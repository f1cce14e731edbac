import * as v from 'valibot';
import type { Sent } from './sent.ts';
import { type Actor, buyTicket, customer } from './trigger-purchases.ts';

const Ordered = v.object({ user_id: v.number() });
const Customers = v.object({ data: v.tuple([v.object({ org_customer_id: v.string() })]) });

async function buyerOfTicket(actor: Actor, buyer = customer): Promise<number> {
  const { order_id } = await buyTicket(actor, 'pm_card_visa', buyer);
  return v.parse(Ordered, await actor.call('GET', `/v1/orders/${order_id}`)).user_id;
}

/** What happens to a customer alone. */
export const customerScenarios = {
  'customer.consent_changed': async (actor: Actor, sent: Sent) => {
    const userId = await buyerOfTicket(actor);
    const found = v.parse(Customers, await actor.call('GET', `/v1/customers?search=${userId}`));
    const path = `/v1/customers/${encodeURIComponent(found.data[0].org_customer_id)}/consents`;
    const said = { purpose: 'marketing', channel: 'email', text_version: '2026-07' };
    // Whatever counted before, the second changes it.
    for (const given of [false, true]) await actor.call('POST', path, { ...said, given });
    await sent(undefined, '"given":true');
  },
  'customer.erased': async (actor: Actor) => {
    const userId = await buyerOfTicket(actor, { email: 'edda@example.com', first_name: 'Edda', last_name: 'Brown' });
    await actor.admin('customer', 'erase', actor.orgId, String(userId), '--user-id', '--yes');
  },
};
