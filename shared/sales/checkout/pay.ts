import { changeBasket } from '../../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../../data/baskets/buyers.ts';
import type { Basket, ChargeReference } from '../../domain/baskets/basket.ts';
import type { ChangedBasket, Decision } from '../../domain/baskets/changes.ts';
import { markPaid, recordCharge, reopenBasket, settleDueUnix, waitForBuyer } from '../../domain/baskets/checkout.ts';
import { chargeKey, chargeOwnerOfBasket } from '../../domain/payments/charge-key.ts';
import { paymentResource } from '../../mappers/payment.ts';
import { callProvider } from '../../payments/payments.ts';
import type { PaymentProvider, PaymentState, Refused } from '../../payments/provider.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import type { CheckoutDeps } from '../deps.ts';
import type { ClaimedBasket } from './claim.ts';
import { type LookedUpCustomer, lookUpCustomer } from './customer-of-order.ts';
import { takenOver, type Unpaid } from './outcomes.ts';
import { providerCustomerOf } from './provider-customer.ts';

export type Paid =
  /** `basket` is paid, which only its order or a settlement records. `customer` is absent for a free basket. */
  | { readonly outcome: 'paid'; readonly basket: Basket; readonly customer?: LookedUpCustomer | undefined }
  | Unpaid
  | typeof takenOver;

/** A payment without the buyer: the provider's customer who has the saved method. */
export interface OffSession {
  readonly customer: string;
}

/** A claimed basket, and where the buyer returns to from a page of the provider. */
export interface PaymentRequest extends Pick<ClaimedBasket, 'basket' | 'checkout' | 'presentation'> {
  readonly returnUrl: string | null;
  readonly offSession?: OffSession | undefined;
}

/** Preparing moves no money, so its timeout can be shorter. */
const prepareShare = 0.5;

/**
 * Pays for a claimed basket: the provider creates a charge, its id is recorded, and only then does the money move. After any
 * failure the provider can be asked for the outcome by that id. Every definite refusal opens the basket again. The customer is
 * looked up while the charge is recorded.
 */
export async function pay(deps: CheckoutDeps, request: PaymentRequest): Promise<Paid> {
  const { basket, checkout } = request;
  const { attempt } = checkout;
  if (checkout.isPaid || checkout.paymentMethod === null) return { outcome: 'paid', basket };
  const created = await createCharge(deps, request);
  if (created.outcome !== 'created') return reopenUnpaidBasket(deps, basket, attempt, created);
  const { provider, charge } = created;
  const [recorded, customer] = await Promise.all([
    changeCurrent(deps, basket, (current) => recordCharge(current, basket, charge)),
    lookUpCustomer(deps, checkout),
  ]);
  // The charge that is left behind is never paid: only this process knows it, and does not confirm it.
  if (recorded.outcome !== 'changed') return takenOver;
  const confirmed = await confirmCharge(deps, { ...request, basket: recorded.basket }, { provider, charge });
  return confirmed.outcome === 'paid' ? { ...confirmed, customer } : confirmed;
}

type CreatedCharge =
  | {
      readonly outcome: 'created';
      readonly payment: PaymentState;
      readonly provider: PaymentProvider;
      /** What the basket records of it. */
      readonly charge: ChargeReference;
    }
  | Extract<Unpaid, { outcome: 'declined' | 'method_unknown' | 'provider_refused' | 'provider_unavailable' }>;

/** Creates the charge of an attempt at the provider. No money moves, and the same attempt has the same charge. */
export async function createCharge(
  deps: CheckoutDeps,
  { basket, checkout, presentation, returnUrl, offSession }: PaymentRequest,
): Promise<CreatedCharge> {
  const { orgId, payments } = deps;
  const owner = chargeOwnerOfBasket(basket);
  const { attempt, account, amountMinor, paymentMethod } = checkout;
  const provider = await payments.current();
  const saved = checkout.plan && !offSession ? await providerCustomerOf(deps, basket, checkout) : null;
  const customer = offSession?.customer ?? saved;
  if (customer === 'unknown') return { outcome: 'provider_unavailable' };
  const charge = {
    orgId,
    account,
    owner,
    amountMinor,
    paymentMethod,
    returnUrl,
    presentation,
    customer,
    savesMethod: customer !== null && offSession === undefined,
    key: chargeKey(owner, attempt),
    currency: basket.currency ?? '',
  };
  const prepared = await callProvider(provider, payments.timeoutMs * prepareShare, (api, signal) =>
    api.prepare(charge, signal),
  );
  if (prepared === 'unknown') return { outcome: 'provider_unavailable' };
  if (prepared.outcome === 'prepared') {
    const { payment } = prepared;
    const reference = { provider: provider.name, chargeId: payment.chargeId, account, customer };
    return { outcome: 'created', payment, provider, charge: reference };
  }
  return prepared.outcome === 'refused' ? providerRefused(deps, basket, provider, prepared) : prepared;
}

/** No buyer can fix it, and the organisation may not know about it. */
function providerRefused({ orgId }: CheckoutDeps, { basketId }: Basket, { name }: PaymentProvider, { code }: Refused) {
  const about = { provider: name, provider_code: code, org_id: orgId, basket_id: basketId };
  log.error('The payment provider rejected a payment', about);
  return { outcome: 'provider_refused', code } as const;
}

async function confirmCharge(
  deps: CheckoutDeps,
  { basket, checkout: { attempt }, returnUrl, offSession }: PaymentRequest,
  { provider, charge }: { readonly provider: PaymentProvider; readonly charge: ChargeReference },
): Promise<Paid> {
  const { orgId, payments } = deps;
  const { chargeId, account } = charge;
  const key = chargeKey(chargeOwnerOfBasket(basket), attempt);
  const known = { orgId, account, key, chargeId, returnUrl, offSession: offSession !== undefined };
  const confirmed = await callProvider(provider, payments.timeoutMs, (api, signal) => api.confirm(known, signal));
  if (confirmed === 'unknown') return { outcome: 'payment_unknown' };
  switch (confirmed.outcome) {
    case 'pending':
      return { outcome: 'payment_unknown' };
    case 'declined':
      return reopenUnpaidBasket(deps, basket, attempt, confirmed);
    // Only this process would confirm the charge, and it does not.
    case 'refused':
      return reopenUnpaidBasket(deps, basket, attempt, providerRefused(deps, basket, provider, confirmed));
    case 'not_processed':
      return reopenUnpaidBasket(deps, basket, attempt, { outcome: 'provider_unavailable' });
    case 'action_required': {
      const { payment } = confirmed;
      const waiting = await letBuyerAct(deps, basket, attempt, charge);
      return waiting.outcome === 'changed'
        ? { outcome: 'action_required', payment: paymentResource({ provider, account, payment }) }
        : takenOver;
    }
    case 'paid': {
      const paid = markPaid(basket, attempt, confirmed);
      return { outcome: 'paid', basket: paid.basket };
    }
  }
}

/** Ends the lease: from now on the payment waits for the buyer, and the sweeper looks at it. */
export async function letBuyerAct(
  { table, orgId, clock }: CheckoutDeps,
  known: Basket,
  attempt: number,
  charge: ChargeReference,
): Promise<ChangedBasket> {
  return changeBasket(
    table,
    {
      orgId,
      basketId: known.basketId,
      known,
      decide: (current) => waitForBuyer(current, attempt, charge, unixSeconds(clock)),
      recheckTimes: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
    },
    await buyerPointerPuts(table, orgId),
  );
}

/** Opens a basket again whose payment has definitely not been made. */
export async function reopenUnpaidBasket<Result>(
  deps: CheckoutDeps,
  basket: Basket,
  attempt: number,
  result: Result,
): Promise<Result | typeof takenOver> {
  const nowUnix = unixSeconds(deps.clock);
  const changed = await changeCurrent(deps, basket, (current) => reopenBasket(current, attempt, nowUnix));
  return changed.outcome === 'changed' ? result : takenOver;
}

function changeCurrent(
  { table, orgId }: CheckoutDeps,
  known: Basket,
  decide: (basket: Basket) => Decision,
): Promise<ChangedBasket> {
  return changeBasket(table, { orgId, basketId: known.basketId, known, decide });
}
