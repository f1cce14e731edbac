import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';

const buyer = { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' };

/** A membership that was bought today, with 14 days to withdraw. Returns the order and the card. */
async function bought({ send, orgId }: CallContext) {
  const params = { basket_id: String((await send('open-basket', { body: { org: orgId } })).id) };
  const [category] = itemsOf(await send('list-membership-categories', {}));
  const sold = { title: 'Supporter', price: 30, currency: 'AUD', withdrawal_days: 14, game_day_access: 1 };
  const { membership_category_id } = category ?? {};
  const type = await send('create-membership-type', { body: { membership_category_id, term_months: 12, ...sold } });
  const { membership_type_id } = type;
  await send('add-basket-item', { params, body: { membership_type_id, quantity: 1 } });
  const { order_id, memberships } = await send('check-out-basket', {
    params,
    body: { customer: buyer, payment_method: 'pm_card_visa' },
  });
  return { order_id: String(order_id), card: String(Array.isArray(memberships) ? memberships[0]?.barcode : undefined) };
}

/** A withdrawal that waits: the member has entered an event. */
async function used(context: CallContext): Promise<string> {
  const { order_id, card: barcode } = await bought(context);
  const [event] = itemsOf(await context.send('list-events', { query: { event_status_id: '1', limit: '1' } }));
  await context.send('record-scan', { params: { event_id: String(event?.event_id) }, body: { barcode } });
  const { withdrawal_id } = await context.send('request-withdrawal', { params: { order_id }, body: {} });
  return String(withdrawal_id);
}

const requested = ({ of }: CallContext) => ({ withdrawal_id: String(of('request-withdrawal').withdrawal_id) });

/** A buyer withdraws in time, and another one after the match. */
export const withdrawalCalls: Readonly<Record<string, MakeInput>> = {
  'request-withdrawal': async (context) => ({ params: { order_id: (await bought(context)).order_id }, body: {} }),
  'confirm-withdrawal': (context) => ({ params: requested(context), body: {} }),
  'list-withdrawals': () => ({ query: { limit: '1' } }),
  'retrieve-withdrawal': async (context) => {
    const input = { params: requested(context) };
    await context.until('retrieve-withdrawal', input, ({ refund_status }) => refund_status !== 'pending');
    return input;
  },
  'decide-withdrawal': async (context) => ({
    params: { withdrawal_id: await used(context) },
    body: { decision: 'accept', keep: 12 },
  }),
};
