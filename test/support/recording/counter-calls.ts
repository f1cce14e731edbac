import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';

/** An order that was paid in cash, and whose event is cancelled: staff have to hand the money over. */
async function awaitedRefund({ send, until, orgId }: CallContext): Promise<{ order_id: string; refund_id: string }> {
  const event = { title: 'Open training', utc_event_start_date: '2026-10-24T08:30:00Z', currency: 'AUD' };
  const { event_id } = await send('create-event', { body: event });
  const params = { event_id: String(event_id) };
  const { price_category_id } = await send('create-price-category', { params, body: { title: 'Terrace' } });
  const price = { price_category_id: Number(price_category_id), title: 'Adult', price: 12.5, capacity: 10 };
  const { price_id } = await send('create-price', { params, body: price });
  await send('update-event', { params, body: { event_status_id: '1' } });
  const { id } = await send('open-basket', { body: { org: orgId, channel: 'counter' } });
  const basket = { basket_id: String(id) };
  await send('add-basket-item', { params: basket, body: { price_id: Number(price_id), quantity: 2 } });
  const { order_id } = await send('check-out-basket', { params: basket, body: { tender: { kind: 'cash' } } });
  const order = { order_id: String(order_id) };
  await send('cancel-event', { params, body: { refund: 'all', reason: 'Storm' } });
  await until('list-order-refunds', { params: order }, (list) => itemsOf(list).length > 0);
  return { ...order, refund_id: `${order_id}-1` };
}

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
  'record-refund-return': async (context) => ({
    params: await awaitedRefund(context),
    body: { returned_by: 'cash', station: 'till 1', operator: '7' },
  }),
});
