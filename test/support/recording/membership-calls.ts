import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';

/** A membership that is paid in instalments. Returns the member. */
async function memberInInstalments({ send, orgId }: CallContext): Promise<string> {
  const params = { basket_id: String((await send('open-basket', { body: { org: orgId } })).id) };
  const { data } = await send('list-membership-types', {});
  const types: readonly Record<string, unknown>[] = Array.isArray(data) ? data : [];
  const { membership_type_id } = types.find(({ persons, status }) => persons === 1 && status === 1) ?? {};
  await send('add-basket-item', { params, body: { membership_type_id, quantity: 1 } });
  const { memberships } = await send('check-out-basket', {
    params,
    body: {
      customer: { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' },
      payment_method: 'pm_card_visa',
      membership_payment_option_id: 'six-monthly',
      consent: true,
      consent_text: 'Harbour City FC may charge five more instalments to my card, one each month.',
    },
  });
  return String(Array.isArray(memberships) ? memberships[0]?.membership_member_id : undefined);
}

/** The member of the plan that was retrieved. */
function memberOfPlan(of: CallContext['of']): { membership_member_id: string } {
  const { membership_member_ids: ids } = of('retrieve-payment-plan');
  return { membership_member_id: String(Array.isArray(ids) ? ids[0] : undefined) };
}

/** Somebody of the demo whose membership is valid. */
const cardHolder = ({ of }: CallContext) => ({
  membership_member_id: String(itemsOf(of('list-members'))[0]?.membership_member_id),
});

/** What the examples of the membership types and categories send. */
export const membershipCalls: Readonly<Record<string, MakeInput>> = {
  'create-membership-category': () => ({ body: { code: 'weekday', title: 'Weekday members', hex_color: '#0b2545' } }),
  'update-membership-category': ({ of }) => ({
    params: { membership_category_id: String(of('create-membership-category').membership_category_id) },
    body: { order_by: 80 },
  }),
  'create-membership-type': ({ of }) => ({
    body: {
      membership_category_id: Number(of('create-membership-category').membership_category_id),
      code: 'weekday-couple',
      title: 'Weekdays, couple',
      price: 180,
      currency: 'AUD',
      persons: 2,
      term_months: 12,
      membership_payment_option_ids: ['upfront', 'six-monthly'],
    },
  }),
  'create-membership-payment-option': () => ({
    body: { code: 'quarterly', title: 'Four instalments', number_of_instalments: 4 },
  }),
  'update-membership-payment-option': () => ({
    params: { membership_payment_option_id: 'quarterly' },
    body: { order_by: 40 },
  }),
  'create-venue': () => ({ body: { code: 'meadow', venue_name: 'The Meadow' } }),
  'update-venue': () => ({ params: { venue_id: 'meadow' }, body: { venue_name: 'The Great Meadow' } }),
  'update-membership-type': ({ of }) => ({
    params: { membership_type_id: String(of('create-membership-type').membership_type_id) },
    body: { price: 190, capacity: 500 },
  }),
  'retrieve-member-apple-pass': (context) => ({ params: cardHolder(context) }),
  'retrieve-member-google-pass': (context) => ({ params: cardHolder(context) }),
  'retrieve-payment-plan': async (context) => ({
    params: { membership_member_id: await memberInInstalments(context) },
  }),
  'pay-instalment': ({ of }) => ({
    params: memberOfPlan(of),
    body: { number: 2, payment_method: 'pm_card_visa' },
  }),
  'set-payment-method': ({ of }) => ({ params: memberOfPlan(of), body: {} }),
  'set-auto-renew': ({ of }) => ({
    params: memberOfPlan(of),
    body: {
      auto_renew: true,
      consent: true,
      consent_text: 'Harbour City FC may renew my membership every year and charge my card.',
    },
  }),
  'cancel-member': ({ of }) => ({ params: memberOfPlan(of), body: { when: 'now', refund: 'unused' } }),
};
