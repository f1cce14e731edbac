import { handle as addItem } from '../../../functions/api/baskets/add-basket-item.ts';
import { handle as open } from '../../../functions/api/baskets/open-basket.ts';
import { handle as pay } from '../../../functions/api/orders/record-order-payment.ts';
import { handle as handOver } from '../../../functions/api/orders/record-refund-return.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { chargeablePart, majorUnits } from '../../../shared/domain/money.ts';
import type { OrderRecord } from '../../../shared/domain/orders/order.ts';
import { invoiceOutstandingMinor, receivedKinds, tenderKinds } from '../../../shared/domain/orders/tender.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { openBasket } from '../../../shared/operations/baskets/open-basket.ts';
import { recordOrderPayment } from '../../../shared/operations/orders/record-order-payment.ts';
import { recordRefundReturn } from '../../../shared/operations/orders/record-refund-return.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { checkOut } from '../../../shared/sales/checkout/check-out.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

const daySeconds = 86_400;

async function sell(scene: Scene): Promise<string> {
  const { club, deps, choose } = scene;
  const opened = await call(scene, openBasket, open, { body: { org: club.orgId, channel: 'counter' } });
  if (typeof opened === 'string') return opened;
  const basketId = Number(opened.id);
  club.baskets.push(basketId);
  const item = choose([
    { price_id: choose(club.prices)?.priceId, quantity: choose([1, 2, 3]) },
    { price_id: choose(club.prices)?.priceId, quantity: 1 },
    { membership_type_id: choose(club.types)?.typeId, quantity: 1 },
  ]);
  const params = { basket_id: String(basketId) };
  const added = await call(scene, addBasketItem, addItem, { params, body: item });
  if (typeof added === 'string') return added;
  const kind = choose([...tenderKinds, 'invoice', 'invoice'] as const);
  const tender = {
    kind,
    reference: null,
    station: choose(['till 1', 'till 2']),
    operator: choose(['7', null]),
    received: null,
    ...(kind === 'complimentary' && { reason: 'Press' }),
    ...(kind === 'invoice' && {
      dueUnix: unixSeconds(deps.clock) + 30 * daySeconds,
      valid: choose(['when_paid', undefined] as const),
    }),
  };
  const buyer = choose([club.people[0] ?? null, null]);
  const command = {
    basketId,
    buyer: kind === 'invoice' ? (club.people[0] ?? null) : buyer,
    paymentMethod: null,
    tender,
  };
  const sold = await checkOut(deps, command, () => []);
  return `${kind}: ${sold.outcome === 'refused' ? sold.refusal.reason : sold.outcome}`;
}

/** One of the orders for which this is true, the newest more often. */
async function orderWith(
  { club, outside, choose }: Scene,
  is: (order: OrderRecord) => boolean,
): Promise<OrderRecord | undefined> {
  const read = await Promise.all(club.orders.slice(-20).map((orderId) => readOrder(outside, club.orgId, orderId)));
  return choose(read.filter((order) => order !== undefined).filter(is));
}

async function payInvoice(scene: Scene): Promise<string> {
  const { choose } = scene;
  const order = await orderWith(scene, (one) => invoiceOutstandingMinor(one) > 0);
  if (order === undefined) return nothing;
  const owedMinor = invoiceOutstandingMinor(order);
  const amountMinor = choose([
    owedMinor,
    chargeablePart(owedMinor / 3, order.currency) || owedMinor,
    owedMinor + 1_000,
  ]);
  const body = { amount: majorUnits(amountMinor, order.currency), kind: choose(receivedKinds) };
  const params = { order_id: String(order.orderId) };
  return outcomeOf(await call(scene, recordOrderPayment, pay, { params, body }));
}

/** A refund that begins where nobody hands money over. */
async function refundLater(scene: Scene): Promise<string> {
  const isOwed = scene.choose([true, false]);
  const order = await orderWith(
    scene,
    (one) => one.tender !== undefined && one.status === 'confirmed' && (!isOwed || invoiceOutstandingMinor(one) > 0),
  );
  if (order === undefined) return nothing;
  const { orderId } = order;
  const tickets = scene.choose<'all' | readonly number[]>(['all', [orderId + 1]]);
  const request = { orderId, tickets, reason: null, returnedBy: 'later' } as const;
  return (await requestRefund(scene.deps, request, () => [])).outcome;
}

async function returnMoney(scene: Scene): Promise<string> {
  const order = await orderWith(scene, ({ refundsElsewhere }) =>
    refundsElsewhere.some(({ awaitsReturn }) => awaitsReturn),
  );
  const refund = order?.refundsElsewhere.find(({ awaitsReturn }) => awaitsReturn);
  if (order === undefined || refund === undefined) return nothing;
  const { orderId } = order;
  const params = { order_id: String(orderId), refund_id: `${orderId}-${refund.number}` };
  const body = { returned_by: scene.choose(receivedKinds) };
  return outcomeOf(await call(scene, recordRefundReturn, handOver, { params, body }));
}

/** What staff sell, receive and hand back. Refunds of it are those of the office. */
export const counterSteps: Steps = {
  'sell at the counter': { weight: 10, run: sell },
  'receive a payment of an invoice': { weight: 3, run: payInvoice },
  'refund a sale of the counter later': { weight: 3, run: refundLater },
  'hand a refund over': { weight: 3, run: returnMoney },
};
