import * as v from 'valibot';
import { moveTime } from '../run/control.ts';
import { CommandError, type RunningGateline } from './running.ts';
import type { Sent } from './sent.ts';
import { customer, ListOf, refused } from './trigger-purchases.ts';

/** Longer than every month. */
const monthSeconds = 32 * 86_400;

const Type = v.object({ membership_type_id: v.number(), persons: v.number() });
const WithOptions = v.object({
  payment_options: v.array(v.object({ membership_payment_option_id: v.string(), instalments: v.array(v.unknown()) })),
});
const WithMemberships = v.object({ memberships: v.array(v.object({ membership_member_id: v.number() })) });

/** Buys a membership that is paid in instalments. Returns the member. */
async function buyInInstalments(actor: RunningGateline, card: string): Promise<number> {
  const types = v.parse(ListOf(Type), await actor.call('GET', '/v1/membership_types')).data;
  for (const { membership_type_id } of types.filter(({ persons }) => persons === 1)) {
    const { id } = v.parse(v.object({ id: v.string() }), await actor.call('POST', '/v1/baskets', { org: actor.orgId }));
    const added = await actor
      .call('POST', `/v1/baskets/${id}/items`, { membership_type_id, quantity: 1 })
      .catch(refused);
    const options = added === undefined ? [] : v.parse(WithOptions, added).payment_options;
    const option = options.find(({ instalments }) => instalments.length > 0);
    if (option === undefined) continue;
    const agreed = { consent: true, consent_text: 'I agree that the instalments are charged to my card.' };
    const { membership_payment_option_id } = option;
    const body = { customer, payment_method: card, membership_payment_option_id, ...agreed };
    const bought = v.parse(WithMemberships, await actor.call('POST', `/v1/baskets/${id}/checkout`, body));
    const [first] = bought.memberships;
    if (first !== undefined) return first.membership_member_id;
  }
  throw new CommandError('The demo sells no membership in instalments.');
}

/** How the events of instalments happen. A declined one needs the time to pass. */
export const instalmentScenarios = {
  'instalment.paid': async (actor: RunningGateline) => {
    const memberId = await buyInInstalments(actor, 'pm_card_visa');
    const payment = { number: 2, payment_method: 'pm_card_visa' };
    await actor.call('POST', `/v1/members/${memberId}/payment_plan/payments`, payment);
  },
  'instalment.failed': async (actor: RunningGateline, sent: Sent) => {
    const memberId = await buyInInstalments(actor, 'pm_card_chargeCustomerFail');
    await moveTime(actor.connection, monthSeconds);
    await sent(() => moveTime(actor.connection, 60), memberId);
  },
  'instalment.action_required': async (actor: RunningGateline, sent: Sent) => {
    const memberId = await buyInInstalments(actor, 'pm_card_chargeCustomerFail');
    // The card is declined when the instalment is due, and for the last time twelve days later.
    await moveTime(actor.connection, monthSeconds + 12 * 86_400);
    await sent(() => moveTime(actor.connection, 60), memberId);
  },
};
