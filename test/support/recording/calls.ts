import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';
import { catalogueCalls, newEvent } from './catalogue-calls.ts';
import { codeCalls } from './code-calls.ts';
import { counterCalls } from './counter-calls.ts';
import { customer, customerCalls } from './customer-calls.ts';
import { membershipCalls } from './membership-calls.ts';
import { orderDetailCalls } from './order-detail-calls.ts';
import { phaseCalls } from './phase-calls.ts';
import { seatCalls } from './seat-calls.ts';
import { startUnix } from './start-unix.ts';
import { ticketCalls } from './ticket-calls.ts';
import { waitingListCalls } from './waiting-list-calls.ts';
import { endedEndpointCalls, webhookCalls } from './webhook-calls.ts';
import { withdrawalCalls } from './withdrawal-calls.ts';

/** An event with tickets to sell: with neither numbered seats nor a sold-out sign. */
const event = ({ of }: CallContext) => {
  const events = itemsOf(of('list-events'));
  const onSale = events.find(({ reserved_seating, sold_out }) => reserved_seating === false && sold_out === false);
  return { event_id: String(onSale?.event_id) };
};
const basket = ({ of }: CallContext) => ({ basket_id: String(of('open-basket').id) });
const item = ({ of }: CallContext) => ({
  price_id: Number(itemsOf(of('list-event-prices'))[0]?.price_id),
  quantity: 2,
});
const member = ({ of }: CallContext) => ({ membership_member_id: String(of('create-member').member_id) });
const barcode = ({ of }: CallContext) => {
  const { tickets } = of('check-out-basket');
  return Array.isArray(tickets) ? tickets[0]?.barcode : undefined;
};
const buyer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const payment = { customer: buyer, payment_method: 'pm_card_visa' };
const newBasket = async ({ send, orgId }: CallContext) => ({
  basket_id: String((await send('open-basket', { body: { org: orgId } })).id),
});
/** An order of its own, to refund or cancel. */
const newOrder = async (context: CallContext) => {
  const params = await newBasket(context);
  await context.send('add-basket-item', { params, body: item(context) });
  const { order_id } = await context.send('check-out-basket', { params, body: payment });
  return { order_id: String(order_id) };
};
/** A line of a new basket. */
async function newLine(context: CallContext): Promise<{ basket_id: string; line_id: string }> {
  return { ...(await filledBasket(context)), line_id: '1' };
}

/** A new basket with tickets. */
async function filledBasket(context: CallContext): Promise<{ basket_id: string }> {
  const params = await newBasket(context);
  await context.send('add-basket-item', { params, body: item(context) });
  return params;
}

/**
 * What an integrator would send, in the order of a real use. An operation without an entry is called without input. Each call
 * becomes the example of its operation in the OpenAPI document.
 */
export const calls: Readonly<Record<string, MakeInput>> = {
  ...customerCalls,
  'list-events': () => ({ query: { event_status_id: '1' } }),
  'retrieve-event': (context) => ({ params: event(context) }),
  'list-event-prices': (context) => ({ params: event(context) }),
  'create-webhook-endpoint': ({ receiverUrl }) => ({
    body: { url: receiverUrl, types: ['order.*'], description: 'Warehouse' },
  }),
  'open-basket': ({ orgId }) => ({
    body: { org: orgId, external_reference: 'cart-4711', metadata: { campaign: 'spring' } },
  }),
  'add-basket-item': (context) => ({ params: basket(context), body: item(context) }),
  'check-out-basket': (context) => ({
    params: basket(context),
    body: payment,
  }),
  'retrieve-basket': (context) => ({ params: basket(context) }),
  'remove-basket-item': async (context) => {
    const params = await newBasket(context);
    const { price_id, quantity } = item(context);
    await context.send('add-basket-item', { params, body: { price_id, quantity } });
    return { params: { ...params, price_id: String(price_id) } };
  },
  'prepare-payment': async (context) => {
    const params = await newBasket(context);
    await context.send('add-basket-item', { params, body: item(context) });
    return { params, body: { customer: buyer } };
  },
  'cancel-basket': async (context) => ({ params: await newBasket(context) }),
  'retrieve-order-pdf': ({ of }) => ({ params: { order_id: String(of('check-out-basket').order_id) } }),
  'retrieve-order': ({ of }) => ({ params: { order_id: String(of('check-out-basket').order_id) } }),
  'list-orders': () => ({ query: { limit: '1' } }),
  'refund-order': async (context) => ({
    params: await newOrder(context),
    body: { reason: 'The buyer cannot come.' },
  }),
  ...orderDetailCalls(newOrder),
  ...counterCalls((context) => ({ item: item(context), customer: buyer })),
  'list-order-refunds': async ({ of, until }) => {
    const input = { params: { order_id: String(of('refund-order').order_id) } };
    await until('list-order-refunds', input, (list) => itemsOf(list)[0]?.status === 'succeeded');
    return input;
  },
  'cancel-order': async (context) => ({ params: await newOrder(context), body: {} }),
  ...ticketCalls,
  'list-event-orders': (context) => ({ params: event(context), query: { limit: '1' } }),
  'record-scan': (context) => ({ params: event(context), body: { barcode: barcode(context) } }),
  'list-event-scans': (context) => ({ params: event(context), query: { limit: '1' } }),
  'list-event-tickets': (context) => ({ params: event(context), query: { limit: '1', addresses: 'true' } }),
  'event-sales-summary': (context) => ({ params: event(context) }),
  'event-settlement': (context) => ({ params: event(context) }),
  'event-stats-by-price': (context) => ({ params: event(context) }),
  'event-inventory': (context) => ({ params: event(context) }),
  'event-stats-by-price-category': (context) => ({ params: event(context) }),
  'list-members': () => ({ query: { limit: '1' } }),
  'create-member': (context) => ({
    body: { user_id: Number(customer(context).user_id), first_name: 'Grace', last_name: 'Hopper' },
  }),
  'retrieve-member': (context) => ({ params: member(context) }),
  'list-member-terms': (context) => ({ params: member(context) }),
  'fulfil-members': (context) => ({
    body: { members: [{ membership_member_id: Number(member(context).membership_member_id) }] },
  }),
  'set-member-metadata': (context) => ({ params: member(context), body: { metadata: { locker: 'b-12' } } }),
  'set-tracking-code': (context) => ({
    params: member(context),
    body: { fulfillment_tracking_code: 'AB123456789AU' },
  }),
  'list-sso-orders': () => ({}),
  'list-sso-order-tickets': ({ of }) => ({
    params: { order_id: String(itemsOf(of('list-sso-orders'))[0]?.order_id) },
  }),
  'cancel-own-ticket': async (context) => {
    const params = await newBasket(context);
    await context.send('add-basket-item', { params, body: item(context) });
    const { tickets } = await context.send('check-out-basket', { params, body: payment, fan: 'linked' });
    return { params: { ticket_id: String(Array.isArray(tickets) ? tickets[0]?.ticket_id : undefined) }, body: {} };
  },
  // After that refund, which would come between the webhooks that are recorded.
  'list-sso-memberships': async ({ of, until }) => {
    const refund = { params: { order_id: String(of('cancel-own-ticket').order_id) } };
    await until('list-order-refunds', refund, (list) => itemsOf(list)[0]?.status === 'succeeded');
    return {};
  },
  'link-sso-user': (context) => ({ fan: 'verified', body: { user_id: Number(customer(context).user_id) } }),
  'unlink-sso-user': () => ({ fan: 'verified' }),
  ...webhookCalls,
  'retrieve-takings': () => ({ query: { unix_start: '1772060399', unix_end: '1772067601' } }),
  'list-journal-entries': ({ of }) => ({ query: { order_id: String(of('check-out-basket').order_id) } }),
  'list-documents': async ({ of, until }) => {
    const input = { query: { order_id: String(of('check-out-basket').order_id) } };
    await until('list-documents', input, (list) => itemsOf(list).length > 0);
    return input;
  },
  'retrieve-document-pdf': ({ of }) => ({
    params: { document_id: String(itemsOf(of('list-documents'))[0]?.document_id) },
  }),
  'retrieve-document': ({ of }) => ({
    params: { document_id: String(itemsOf(of('list-documents'))[0]?.document_id) },
  }),
  ...endedEndpointCalls,
  'update-basket-line': async (context) => ({
    params: await newLine(context),
    body: { holders: [{ first_name: 'Ada', last_name: 'Lovelace' }, { first_name: 'Byron' }] },
  }),
  'remove-basket-line': async (context) => ({ params: await newLine(context) }),
  'list-held-baskets': async (context) => {
    const held = { hold_until_unix: startUnix + 86_400, reason: 'School class', customer: buyer };
    const { id } = await context.send('open-basket', { body: { org: context.orgId, ...held } });
    await context.send('add-basket-item', { params: { basket_id: String(id) }, body: item(context) });
    return { params: event(context) };
  },
  ...catalogueCalls,
  ...codeCalls(filledBasket),
  ...phaseCalls(newEvent),
  ...waitingListCalls,
  ...withdrawalCalls,
  ...membershipCalls,
  ...seatCalls,
  'copy-event': (context) => ({
    params: newEvent(context),
    body: { title: 'Harbour City FC v Southbank', utc_event_start_date: '2026-11-14T08:30:00Z' },
  }),
  'update-event': (context) => ({
    params: newEvent(context),
    body: { utc_event_start_date: '2026-11-01T04:00:00Z', event_status_id: '1' },
  }),
  // Two orders, of which one cannot be refunded.
  'cancel-event': async (context) => {
    for (const payment_method of ['pm_card_visa', 'pm_card_refundFail']) {
      const params = await newBasket(context);
      const price_id = Number(context.of('create-price').price_id);
      await context.send('add-basket-item', { params, body: { price_id, quantity: 2 } });
      await context.send('check-out-basket', { params, body: { customer: buyer, payment_method } });
    }
    return { params: newEvent(context), body: { refund: 'all', reason: 'Storm' } };
  },
  // After its end: refunds would come between the webhooks that are recorded.
  'retrieve-job': async ({ of, until }) => {
    const input = { params: { job_id: String(of('cancel-event').job_id) } };
    await until('retrieve-job', input, ({ status }) => status !== 'running');
    return input;
  },
  'list-requests': async ({ until }) => {
    const input = { query: { operation_id: 'check-out-basket', limit: '1' } };
    await until('list-requests', input, (list) => itemsOf(list).length > 0);
    return input;
  },
};
