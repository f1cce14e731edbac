import { changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { isTableUnavailable } from '../../data/table/failures.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import { expireBasket } from '../../domain/baskets/changes.ts';
import { abandonCheckout, settleDueUnix } from '../../domain/baskets/checkout.ts';
import { pendingRefund } from '../../domain/baskets/refunds.ts';
import { retryPauseSeconds } from '../../domain/payments/retry-pause.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { traceFields } from '../../platform/request-trace.ts';
import { alertOperator } from '../alert-operator.ts';
import type { CheckoutDeps } from '../deps.ts';
import { type ExecutedRefund, executeRefund } from '../refunds/execute-refund.ts';
import { retrievePayment } from './evaluate-payment.ts';
import { type SettledCheckout, settleCheckout } from './settle.ts';

/** A payment that cannot become an order is refunded after this time. */
const giveUpSeconds = 3_600;

/** After this time an unsettled payment raises an alarm, because it holds tickets that others would buy. */
const stuckSeconds = 3_600;

/**
 * Releases the tickets of a basket if it has expired. It does not call the payment provider, which could delay it. Returns
 * the basket; undefined if it does not exist.
 */
export async function releaseExpired(
  { table, orgId, clock }: CheckoutDeps,
  basketId: number,
): Promise<Basket | undefined> {
  const nowUnix = unixSeconds(clock);
  const expired = await changeBasket(table, { orgId, basketId, decide: (basket) => expireBasket(basket, nowUnix) });
  return expired.outcome === 'missing' ? undefined : expired.basket;
}

/** Whether the payment provider has to be called: for an interrupted checkout or a recorded refund. */
export function isPaymentDue(basket: Basket, nowUnix: number): boolean {
  const { checkout } = basket;
  // An outdated hint is ignored: there is another hint for the time when the checkout is due.
  return pendingRefund(basket) !== undefined || (checkout !== null && nowUnix >= settleDueUnix(checkout));
}

/**
 * Settles an interrupted checkout and executes a recorded refund. Returns when to sweep the basket again; undefined when
 * nothing remains to be done. Every log entry has the request that began the checkout or the refund.
 */
export function sweepPayment(deps: CheckoutDeps, basket: Basket, hasTime: () => boolean): Promise<number | undefined> {
  const requestId = pendingRefund(basket)?.requestId ?? basket.checkout?.requestId ?? undefined;
  return log.within(traceFields({ requestId }), () => settleAndRefund(deps, basket, hasTime));
}

async function settleAndRefund(deps: CheckoutDeps, swept: Basket, hasTime: () => boolean): Promise<number | undefined> {
  const { basketId, checkout: abandoned } = swept;
  const { table, orgId, clock } = deps;
  const nowUnix = unixSeconds(clock);
  if (abandoned !== null && nowUnix >= settleDueUnix(abandoned)) await settleAbandoned(deps, swept);
  const next = await executeRefunds(deps, basketId, hasTime);
  if (next !== undefined) return next;
  const basket = await readBasket(table, orgId, basketId);
  if (basket === undefined) return undefined;
  const { status, checkout } = basket;
  const isStuck = status === 'checking_out' && checkout !== null && nowUnix - checkout.startedUnix >= stuckSeconds;
  if (isStuck) alertOperator('PaymentUnsettled', { orgId, basketId });
  return nextSweepUnix(basket);
}

/**
 * Executes the pending refunds one after the other, while time is left. Returns when to continue: at once if the time is over,
 * later if the provider does not respond.
 */
export async function executeRefunds(
  deps: CheckoutDeps,
  basketId: number,
  hasTime: () => boolean = () => true,
): Promise<number | undefined> {
  const { table, orgId, clock } = deps;
  for (let refunds = 0; refunds <= maxRefunds && hasTime(); refunds += 1) {
    const basket = await readBasket(table, orgId, basketId);
    const refund = basket && pendingRefund(basket);
    if (basket === undefined || refund === undefined) return undefined;
    const outcome = await withinRequest(refund.requestId, () => executeOne(deps, basket, refund));
    const nowUnix = unixSeconds(clock);
    if (outcome === 'pending') return nowUnix + retryPauseSeconds(nowUnix - refund.startedUnix);
  }
  return unixSeconds(clock);
}

async function executeOne(deps: CheckoutDeps, basket: Basket, refund: BasketRefund) {
  const { basketId } = basket;
  const outcome = await executeRefund(deps, basket, refund);
  log.info(refundTexts[outcome], { org_id: deps.orgId, basket_id: basketId, outcome });
  if (outcome === 'refused') alertOperator('RefundRefused', { orgId: deps.orgId, basketId });
  return outcome;
}

const refundTexts: Readonly<Record<ExecutedRefund, string>> = {
  refunded: 'refund executed',
  refused: 'refund refused',
  pending: 'refund still pending',
  taken_over: 'refund ended by another process',
};

/** Every log entry of the work has the request that began the refund, whatever called it: the stream, a schedule or Stripe. */
function withinRequest<Result>(requestId: string | null, work: () => Result): Result {
  return requestId === null ? work() : log.within(traceFields({ requestId }), work);
}

/** An order has at most 63 tickets, and each is in one refund at a time. */
const maxRefunds = 63;

/** When a basket without a due payment has to be swept again; undefined if never. */
export function nextSweepUnix({ status, expiresUnix, checkout }: Basket): number | undefined {
  if (status === 'open') return expiresUnix;
  return status === 'checking_out' && checkout !== null ? settleDueUnix(checkout) : undefined;
}

async function settleAbandoned(deps: CheckoutDeps, basket: Basket): Promise<void> {
  const { basketId } = basket;
  try {
    if (await isLeftToBuyer(deps, basket)) return;
    const { outcome } = await settleCheckout(deps, basketId, () => []);
    log.info(settledTexts[outcome], { org_id: deps.orgId, basket_id: basketId, outcome });
  } catch (error) {
    if (isTableUnavailable(error)) throw error;
    log.error('A checkout could not be settled', { org_id: deps.orgId, basket_id: basketId, ...reasonOf(error) });
    await giveUpIfTooOld(deps, basketId);
  }
}

const settledTexts: Readonly<Record<SettledCheckout['outcome'], string>> = {
  confirmed: 'checkout completed',
  reopened: 'checkout ended without a payment',
  payment_mismatch: 'checkout ended with a payment of another amount',
  unknown: 'checkout not settled',
  left_alone: 'checkout left alone',
};

/**
 * Whether the buyer can still pay: then the payment is not settled, because settling cancels what is not paid. A payment that
 * cannot be read is left to the next run.
 */
async function isLeftToBuyer(deps: CheckoutDeps, basket: Basket): Promise<boolean> {
  const { checkout } = basket;
  const waitUntilUnix = checkout?.waitUntilUnix ?? null;
  if (checkout === null || checkout.isPaid || waitUntilUnix === null) return false;
  if (unixSeconds(deps.clock) >= waitUntilUnix) return false;
  const found = await retrievePayment(deps, basket, checkout);
  if (found === 'unknown') return true;
  return found.evaluation.verdict === 'waiting' || found.evaluation.verdict === 'processing';
}

/**
 * No payment stays without an order: after an hour of failed attempts the payment is recorded for a refund. Nobody would return what the
 * staff of a counter have taken, so that basket stays, and PaymentUnsettled says so.
 */
async function giveUpIfTooOld({ table, orgId, clock }: CheckoutDeps, basketId: number): Promise<void> {
  const nowUnix = unixSeconds(clock);
  await changeBasket(table, {
    orgId,
    basketId,
    decide: (basket) => {
      const { checkout } = basket;
      const isTooOld = checkout?.isPaid === true && nowUnix - checkout.startedUnix >= giveUpSeconds;
      if (checkout?.charge === null && checkout.amountMinor > 0) return { outcome: 'unchanged', basket };
      return isTooOld ? abandonCheckout(basket, checkout.attempt, nowUnix) : { outcome: 'unchanged', basket };
    },
  });
}
