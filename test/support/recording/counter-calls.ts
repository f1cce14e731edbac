import type { CallContext, MakeInput } from './call-input.ts';

type Purchase = (context: CallContext) => { readonly item: object; readonly customer: object };

/** What staff send at their counter, and for what is paid later. */
export const counterCalls = (purchase: Purchase): Readonly<Record<string, MakeInput>> => ({
  'record-order-payment': async (context) => {
    const { item, customer } = purchase(context);
    const { id } = await context.send('open-basket', { body: { org: context.orgId, channel: 'counter' } });
    const params = { basket_id: String(id) };
    await context.send('add-basket-item', { params, body: { ...item } });
    const tender = { kind: 'invoice', due_unix: Math.floor(Date.now() / 1000) + 30 * 86_400 };
    const { order_id } = await context.send('check-out-basket', { params, body: { customer, tender } });
    return {
      params: { order_id: String(order_id) },
      body: { amount: 40, kind: 'bank_transfer', reference: 'Statement 12' },
    };
  },
});
