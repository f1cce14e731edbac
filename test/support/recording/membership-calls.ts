import type { MakeInput } from './call-input.ts';

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
  'update-membership-type': ({ of }) => ({
    params: { membership_type_id: String(of('create-membership-type').membership_type_id) },
    body: { price: 190, capacity: 500 },
  }),
};
