import { openBasket } from '../../shared/data/baskets/baskets.ts';
import { findOrderRef } from '../../shared/data/orders/read.ts';
import type { Basket } from '../../shared/domain/baskets/basket.ts';
import type { RequestedTender } from '../../shared/domain/orders/tender.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { CheckoutCommand } from '../../shared/sales/checkout/check-out.ts';
import type { CheckedOut, Confirmed } from '../../shared/sales/checkout/outcomes.ts';
import { recordOrderPayment } from '../../shared/sales/invoices/record-order-payment.ts';
import { addItem, checkOutWith, givenOnSale, type TestCheckoutDeps } from './baskets.ts';

/** Cash at the first till, taken by member of staff 7. */
export const cash: RequestedTender = {
  kind: 'cash',
  reference: 'R-1',
  station: 'till 1',
  operator: '7',
  received: null,
};

/** An open basket of the counter that holds this quantity of a price. */
export async function givenCounterBasket(deps: TestCheckoutDeps, price: PriceRecord, quantity = 1): Promise<Basket> {
  const { basketId } = await openBasket(deps.table, { ...deps, channel: 'counter' });
  const added = await addItem(deps, basketId, price, quantity);
  if (added.outcome !== 'changed') throw new Error(`The item was not added: ${JSON.stringify(added)}`);
  return added.basket;
}

export function sellAtCounter(
  deps: TestCheckoutDeps,
  basketId: number,
  tender: RequestedTender = cash,
  changes: Partial<CheckoutCommand> = {},
): Promise<CheckedOut> {
  return checkOutWith(deps, basketId, { paymentMethod: null, tender, ...changes });
}

/** An order that was sold at the counter. */
export async function givenCounterSale(
  deps: TestCheckoutDeps,
  price: PriceRecord,
  { quantity = 1, tender = cash }: { readonly quantity?: number; readonly tender?: RequestedTender } = {},
): Promise<Confirmed> {
  const { basketId } = await givenCounterBasket(deps, price, quantity);
  const sold = await sellAtCounter(deps, basketId, tender);
  if (sold.outcome !== 'confirmed') throw new Error(`It was not sold: ${JSON.stringify(sold)}`);
  return sold;
}

/** An invoice of 32.15 that is paid as a whole: it is received once, whoever repeats it. A payment of more is refused. */
export async function givenInvoiceMove(deps: TestCheckoutDeps) {
  const { price } = await givenOnSale(deps.table, deps.orgId);
  const tender = { ...cash, kind: 'invoice', dueUnix: deps.nowUnix + 86_400 } as const;
  const { orderId } = (await givenCounterSale(deps, price, { tender })).placed.order;
  const ref = await findOrderRef(deps.table, deps.orgId, String(orderId));
  if (ref === undefined) throw new Error('There is no such order.');
  const { reference, station, operator } = cash;
  const pay = (amount: number) =>
    recordOrderPayment(deps, ref, { kind: 'cash', reference, station, operator, amount }, () => []);
  return { orderId, move: () => pay(32.15), refused: () => pay(32.16) };
}
