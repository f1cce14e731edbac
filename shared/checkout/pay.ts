import { type ChangedBasket, changeBasket } from '../data/baskets/baskets.ts';
import { type Basket, type Checkout, chargeKey } from '../domain/baskets/basket.ts';
import type { Decision } from '../domain/baskets/changes.ts';
import { markPaid, recordCharge, reopenBasket } from '../domain/baskets/checkout.ts';
import { callProvider } from '../payments/payments.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { CheckoutDeps } from './deps.ts';

/** Why a basket is not paid for. */
export type Unpaid =
  | { readonly outcome: 'declined'; readonly message: string }
  | { readonly outcome: 'method_unknown' }
  /** The provider rejects the payment with any payment method. The code is the provider's own. */
  | { readonly outcome: 'provider_refused'; readonly code: string }
  /** The provider could not be reached, and no money has moved. */
  | { readonly outcome: 'provider_unavailable' }
  /** It is unknown whether money has moved. The basket does not change until the provider reports the outcome. */
  | { readonly outcome: 'payment_unknown' };

export type Paid =
  | { readonly outcome: 'paid' }
  | Unpaid
  /** The lease has expired, and another request or the sweeper has settled the checkout. */
  | { readonly outcome: 'taken_over' };

/** Preparing moves no money, so its timeout can be shorter. */
const prepareShare = 0.5;

/**
 * Pays for a claimed basket. First the provider creates a charge and its id is recorded; only then does the money move. After
 * any failure the provider can be asked for the outcome by that id. Every definite refusal opens the basket again.
 */
export async function pay(deps: CheckoutDeps, basket: Basket, checkout: Checkout): Promise<Paid> {
  const { orgId, payments } = deps;
  const { attempt, account, amountMinor, paymentMethod } = checkout;
  if (checkout.isPaid || paymentMethod === null) return { outcome: 'paid' };
  const provider = await payments.current();
  const key = chargeKey(basket, attempt);
  const charge = { orgId, account, key, amountMinor, currency: basket.currency ?? '', paymentMethod };

  const prepared = await callProvider(provider, payments.timeoutMs * prepareShare, (api, signal) =>
    api.prepare(charge, signal),
  );
  if (prepared === 'unknown') return reopenUnpaidBasket(deps, basket, attempt, { outcome: 'provider_unavailable' });
  if (prepared.outcome === 'refused') {
    const { code } = prepared;
    // No buyer can fix it, and the organisation may not know about it.
    const about = { provider: provider.name, provider_code: code, org_id: orgId, basket_id: basket.basketId };
    log.error('The payment provider rejected a payment', about);
    return reopenUnpaidBasket(deps, basket, attempt, { outcome: 'provider_refused', code });
  }
  if (prepared.outcome !== 'prepared') return reopenUnpaidBasket(deps, basket, attempt, prepared);
  const { chargeId } = prepared;
  const reference = { provider: provider.name, chargeId, account };
  const recorded = await changeCurrent(deps, basket, (current) => recordCharge(current, attempt, reference));
  if (recorded.outcome !== 'changed') return { outcome: 'taken_over' };
  return confirmCharge(deps, { basket, attempt, provider, chargeId, account });
}

interface Confirmation {
  readonly basket: Basket;
  readonly attempt: number;
  readonly provider: PaymentProvider;
  readonly chargeId: string;
  readonly account: string | null;
}

async function confirmCharge(deps: CheckoutDeps, confirmation: Confirmation): Promise<Paid> {
  const { orgId, payments } = deps;
  const { basket, attempt, provider, chargeId, account } = confirmation;
  const charge = { orgId, account, key: chargeKey(basket, attempt), chargeId };
  const confirmed = await callProvider(provider, payments.timeoutMs, (api, signal) => api.confirm(charge, signal));
  if (confirmed === 'unknown' || confirmed.outcome === 'pending') return { outcome: 'payment_unknown' };
  if (confirmed.outcome === 'declined') return reopenUnpaidBasket(deps, basket, attempt, confirmed);
  await changeCurrent(deps, basket, (current) => markPaid(current, attempt));
  return { outcome: 'paid' };
}

async function reopenUnpaidBasket(deps: CheckoutDeps, basket: Basket, attempt: number, paid: Paid): Promise<Paid> {
  const nowUnix = unixSeconds(deps.clock);
  const changed = await changeCurrent(deps, basket, (current) => reopenBasket(current, attempt, nowUnix));
  return changed.outcome === 'changed' ? paid : { outcome: 'taken_over' };
}

function changeCurrent(
  { table, orgId }: CheckoutDeps,
  { basketId }: Basket,
  decide: (basket: Basket) => Decision,
): Promise<ChangedBasket> {
  return changeBasket(table, { orgId, basketId, decide });
}
