import type { CallContext, MakeInput } from './call-input.ts';

type NewOrder = (context: CallContext) => Promise<{ readonly order_id: string }>;

/** What is said of an order after it was placed. */
export const orderDetailCalls = (newOrder: NewOrder): Readonly<Record<string, MakeInput>> => ({
  'set-invoice-address': async (context) => ({
    params: await newOrder(context),
    body: {
      company: 'Example Pty Ltd',
      address: '2 Market Street',
      postcode: '3000',
      city: 'Melbourne',
      country: 'AU',
      tax_id: '11 222 333 444',
      reference: 'PO 4711',
    },
  }),
  'set-order-metadata': async (context) => ({
    params: await newOrder(context),
    body: { metadata: { crm_id: 'crm-77', shirt_size: null } },
  }),
});
