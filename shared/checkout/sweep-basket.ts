import { changeBasket, readBasket } from '../data/baskets/baskets.ts';
import { isTableUnavailable } from '../data/table/failures.ts';
import type { Basket } from '../domain/baskets/basket.ts';
import { expireBasket } from '../domain/baskets/changes.ts';
import { abandonCheckout, retryPauseSeconds, settleDueUnix } from '../domain/baskets/checkout.ts';
import { pendingRefund } from '../domain/baskets/refunds.ts';
import { unixSeconds } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { countOutcome, log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import type { CheckoutDeps } from './deps.ts';
import { carryOutRefund } from './refund.ts';
import { settleCheckout } from './settle.ts';

/** A payment that cannot become an order is refunded after this time. */
const giveUpSeconds = 3_600;

/** After this time an unsettled payment raises an alarm, because it holds tickets that others would buy. */
const stuckSeconds = 3_600;

/**
 * Does what is due for a basket: releases the tickets of an expired basket, settles an interrupted checkout, carries out a
 * recorded refund. Returns when to sweep the basket again; undefined when nothing remains to be done.
 */
export async function sweepBasket(deps: CheckoutDeps, basketId: number): Promise<number | undefined> {
  const { table, orgId, clock } = deps;
  const nowUnix = unixSeconds(clock);
  const expired = await changeBasket(table, { orgId, basketId, decide: (basket) => expireBasket(basket, nowUnix) });
  if (expired.outcome === 'missing') return undefined;
  const requestId = pendingRefund(expired.basket)?.requestId ?? expired.basket.checkout?.requestId ?? undefined;
  return log.within(traceFields({ requestId }), () => sweepPayment(deps, expired.basket));
}

/** Every log entry has the request that began the checkout or the refund. */
async function sweepPayment(
  deps: CheckoutDeps,
  { basketId, checkout: abandoned }: Basket,
): Promise<number | undefined> {
  const { table, orgId, clock } = deps;
  const nowUnix = unixSeconds(clock);
  // An outdated hint is ignored: there is another hint for the time when the checkout is due.
  if (abandoned !== null && nowUnix >= settleDueUnix(abandoned)) await settleAbandoned(deps, basketId);
  const basket = await readBasket(table, orgId, basketId);
  if (basket === undefined) return undefined;
  const refund = pendingRefund(basket);
  if (refund !== undefined) {
    const { outcome } = await carryOutRefund(deps, basket, refund);
    log.info('refund swept', { org_id: orgId, basket_id: basketId, outcome });
    if (outcome === 'provider_refused') alertOperator('RefundRefused', deps, basketId);
    return outcome === 'pending' ? nowUnix + retryPauseSeconds(nowUnix - refund.startedUnix) : undefined;
  }
  const { status, checkout } = basket;
  const isStuck = status === 'checking_out' && checkout !== null && nowUnix - checkout.startedUnix >= stuckSeconds;
  if (isStuck) alertOperator('PaymentUnsettled', deps, basketId);
  return nextSweepUnix(basket);
}

/** Each of these raises an alarm, because only an operator can resolve it. */
function alertOperator(what: 'RefundRefused' | 'PaymentUnsettled', { orgId }: CheckoutDeps, basketId: number): void {
  log.error('A payment needs manual attention', { outcome: what, org_id: orgId, basket_id: basketId });
  countOutcome('sweep-baskets', what);
}

function nextSweepUnix({ status, expiresUnix, checkout }: Basket): number | undefined {
  if (status === 'open') return expiresUnix;
  return status === 'checking_out' && checkout !== null ? settleDueUnix(checkout) : undefined;
}

async function settleAbandoned(deps: CheckoutDeps, basketId: number): Promise<void> {
  try {
    const { outcome } = await settleCheckout(deps, basketId, () => []);
    log.info('checkout settled', { org_id: deps.orgId, basket_id: basketId, outcome });
  } catch (error) {
    if (isTableUnavailable(error)) throw error;
    log.error('A checkout could not be settled', { org_id: deps.orgId, basket_id: basketId, ...reasonOf(error) });
    await giveUpIfTooOld(deps, basketId);
  }
}

/** No payment stays without an order: after an hour of failed attempts the payment is recorded for a refund. */
async function giveUpIfTooOld({ table, orgId, clock }: CheckoutDeps, basketId: number): Promise<void> {
  const nowUnix = unixSeconds(clock);
  await changeBasket(table, {
    orgId,
    basketId,
    decide: (basket) => {
      const { checkout } = basket;
      const isTooOld = checkout?.isPaid === true && nowUnix - checkout.startedUnix >= giveUpSeconds;
      return isTooOld ? abandonCheckout(basket, checkout.attempt, nowUnix) : { outcome: 'unchanged', basket };
    },
  });
}
