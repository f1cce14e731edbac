import { type BasketRule, changeBasket } from '../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../data/baskets/buyers.ts';
import { type Basket, type Checkout, chargeKey } from '../domain/baskets/basket.ts';
import { markPaid, reopenBasket, settleDueUnix, takeOverCheckout } from '../domain/baskets/checkout.ts';
import { callProvider } from '../payments/payments.ts';
import type { Settled } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { completeOrder } from './complete-order.ts';
import type { CheckoutDeps, Confirmed, OrderSideEffects } from './deps.ts';

export type SettledCheckout =
  | Confirmed
  /** The charge was not paid and never will be. The basket is open again, or expired. */
  | { readonly outcome: 'reopened' }
  /** The provider does not know the outcome yet. */
  | { readonly outcome: 'unknown' }
  /** There is nothing to settle, or another request holds the lease. */
  | { readonly outcome: 'left_alone'; readonly basket: Basket | undefined };

/** Settles a checkout whose lease has expired: a paid one becomes an order, an unpaid one becomes an open basket again. */
export async function settleCheckout(
  deps: CheckoutDeps,
  basketId: number,
  sideEffects: OrderSideEffects,
): Promise<SettledCheckout> {
  const { table, orgId, clock } = deps;
  const takeOver: BasketRule = {
    orgId,
    basketId,
    decide: (basket) => takeOverCheckout(basket, unixSeconds(clock)),
    recheckTimes: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
  };
  const takenOver = await changeBasket(table, takeOver, (basket) => buyerPointerPuts(table, orgId, basket));
  if (takenOver.outcome === 'missing') return { outcome: 'left_alone', basket: undefined };
  const { basket } = takenOver;
  if (takenOver.outcome !== 'changed' || basket.checkout === null) return { outcome: 'left_alone', basket };
  const { checkout } = basket;
  const { attempt } = checkout;

  const settled = await settleCharge(deps, basket, checkout);
  if (settled === 'paid') {
    await changeBasket(table, { orgId, basketId, decide: (current) => markPaid(current, attempt) });
    return completeOrder(deps, basketId, sideEffects);
  }
  if (settled !== 'unpaid') return { outcome: 'unknown' };
  const reopened = await changeBasket(table, {
    orgId,
    basketId,
    decide: (current) => reopenBasket(current, attempt, unixSeconds(clock)),
  });
  return reopened.outcome === 'changed' ? { outcome: 'reopened' } : { outcome: 'left_alone', basket };
}

async function settleCharge(
  { orgId, payments }: CheckoutDeps,
  basket: Basket,
  { isPaid, charge, attempt }: Checkout,
): Promise<Settled | 'unknown'> {
  if (isPaid) return 'paid';
  // Without a charge id, no request can have asked the provider to move money.
  if (charge === null) return 'unpaid';
  const { chargeId, account } = charge;
  const knownCharge = { orgId, account, chargeId, key: chargeKey(basket, attempt) };
  const provider = await payments.byName(charge.provider);
  return callProvider(provider, payments.timeoutMs, (api, signal) => api.settle(knownCharge, signal));
}
