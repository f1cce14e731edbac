import { eventOffSaleReason } from '../events/event.ts';
import { isBeingRefunded, isStillNext, type RenewableMember } from '../members/next-term.ts';
import { isReceivedKind, type RequestedTender, type Tender } from '../orders/tender.ts';
import { retryPauseSeconds } from '../payments/retry-pause.ts';
import type { CheckoutPlan } from '../plans/checkout-plan.ts';
import { type PaymentChoice, paidAtOnce } from '../plans/payment-choice.ts';
import { type AllowedBuyer, allowBuyer, type CheckoutFacts, needsCustomer } from './allow-buyer.ts';
import {
  type Basket,
  type BasketBuyer,
  type BasketCustomer,
  type BasketOrder,
  type BasketPayment,
  basketSeconds,
  type ChargeReference,
  type Checkout,
  type CheckoutFan,
  isPrepared,
} from './basket.ts';
import { beginPayment } from './begin-payment.ts';
import { type Decision, noReservations, notOpenReason, refused, releaseBasket } from './changes.ts';
import { soldAs } from './complimentary.ts';
import { lineRefusal, withoutHolders } from './holders.ts';
import { isMembershipLine, isTicketLine } from './line-item.ts';
import { phaseRefusalOfLines } from './phase-refusal.ts';

/** Longer than the timeout of the checkout function: after the lease, that function has finished or crashed. */
export const checkoutLeaseSeconds = 30;

/** What begins a checkout: check-out-basket, or prepare-payment, after which the buyer pays on the page of the organisation. */
export type CheckoutStart = 'checkout' | 'prepare';

export interface CheckoutRequest {
  readonly start: CheckoutStart;
  /** Null if a tender names nobody. */
  readonly buyer: BasketBuyer | null;
  readonly fan: CheckoutFan | null;
  readonly paymentMethod: string | null;
  readonly account: string | null;
  readonly needsAccount: boolean;
  readonly requestId: string | null;
  /** How the memberships of the basket are paid for; by default at once. */
  readonly payment?: PaymentChoice | undefined;
  /** How the staff take the money, in place of a payment. */
  readonly tender?: RequestedTender | undefined;
}

/** Whether the term of a member that the basket renews is being refunded. */
export function isRefundPending({ lines }: Basket, renewed: ReadonlyMap<number, RenewableMember>): boolean {
  return lines.some(({ nextTerm }) => nextTerm !== null && isBeingRefunded(nextTerm, renewed));
}

/** Whether the members that the basket renews are as they were when it was filled, and may begin the plan that the buyer has chosen. */
export function areRenewalsCurrent(
  { lines }: Basket,
  renewed: ReadonlyMap<number, RenewableMember>,
  plan: CheckoutPlan | null,
): boolean {
  const planned = new Set(plan?.lines.map(({ lineId }) => lineId));
  return lines.every(
    ({ lineId, nextTerm }) => nextTerm === null || isStillNext(nextTerm, renewed, { beginsPlan: planned.has(lineId) }),
  );
}

/** Claims the basket for one payment. From now on it does not expire until the outcome of the payment is known. */
export function beginCheckout(
  basket: Basket,
  request: CheckoutRequest,
  facts: CheckoutFacts,
  nowUnix: number,
): Decision {
  const { event, renewed = new Map(), isCreditWithdrawn = false } = facts;
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.lines.length === 0) return refused(basket, { reason: 'empty' });
  const tickets = basket.lines.filter(isTicketLine);
  const [because] = tickets.flatMap((line) => eventOffSaleReason(event, line, nowUnix) ?? []);
  if (because !== undefined) return refused(basket, { reason: 'event_not_on_sale', because, during: 'checkout' });
  // Written by a later release, which sells it.
  const isKnown = basket.lines.every((line) => isTicketLine(line) || isMembershipLine(line));
  if (!isKnown) return refused(basket, { reason: 'not_on_sale', because: 'not_sold_online' });
  const unsold = lineRefusal(basket.lines);
  if (unsold !== undefined) return refused(basket, unsold);
  if (isRefundPending(basket, renewed)) return refused(basket, { reason: 'refund_in_progress', isPaid: false });
  const outdated = refused(basket, { reason: 'renewal_outdated', isPaid: false });
  if (!areRenewalsCurrent(basket, renewed, null) || isCreditWithdrawn) return outdated;
  const allowed = judgeBuyer(basket, request.buyer, facts, nowUnix);
  if (allowed.refusal !== undefined) return refused(basket, allowed.refusal);
  const { reservations } = allowed;
  const { buyer, fan, paymentMethod, account, requestId, payment = paidAtOnce, tender } = request;
  const { sold, restock } = soldAs(basket, tender);
  const begun = beginPayment(sold, { ...request, payment }, nowUnix);
  if (begun.refusal !== undefined) return refused(basket, begun.refusal);
  const { amountMinor, plan } = begun;
  if (!areRenewalsCurrent(basket, renewed, plan)) return outdated;
  const isFree = amountMinor === 0;
  const attempt = basket.attempts + 1;
  const checkout: Checkout = {
    buyer,
    fan,
    erasedUserId: null,
    paymentMethod: isFree ? null : paymentMethod,
    account,
    attempt,
    startedUnix: nowUnix,
    leaseUntilUnix: nowUnix + checkoutLeaseSeconds,
    waitUntilUnix: null,
    amountMinor,
    charge: null,
    // The staff have taken the money of a tender.
    isPaid: isFree || tender !== undefined,
    methodKind: null,
    requestId,
    paymentOptionId: payment.optionId,
    plan,
    ...(tender !== undefined && { tender: takenTender(tender) }),
  };
  return {
    outcome: 'changed',
    basket: { ...sold, ...reservations, status: 'checking_out', attempts: attempt, checkout },
    restock,
  };
}

/** What the checkout counts against limits; or why it is not for this buyer, or not for nobody. */
function judgeBuyer(basket: Basket, buyer: BasketBuyer | null, facts: CheckoutFacts, nowUnix: number): AllowedBuyer {
  if (buyer === null && needsCustomer(basket, facts, nowUnix)) return { refusal: { reason: 'customer_required' } };
  const outOfPhase = phaseRefusalOfLines(basket, facts, nowUnix);
  return outOfPhase === undefined ? allowBuyer(basket, facts, nowUnix) : { refusal: outOfPhase };
}

/** Whether somebody holds money of a checkout: the provider, or the staff of a counter. */
export function isMoneyHeld({ charge, tender, amountMinor }: Checkout): boolean {
  return charge !== null || (amountMinor > 0 && tender != null && isReceivedKind(tender.kind));
}

/** What is stored of a tender. */
function takenTender({ received: _, ...tender }: RequestedTender): Tender {
  return tender;
}

/**
 * Changes the checkout of one attempt. It is refused if another process has taken over or ended the checkout in the meantime,
 * so two processes never handle the same payment.
 */
function changeCheckout(basket: Basket, attempt: number, change: (checkout: Checkout) => Decision): Decision {
  const { status, checkout } = basket;
  if (status === 'checking_out' && checkout?.attempt === attempt) return change(checkout);
  return refused(basket, { reason: status === 'checked_out' ? status : 'taken_over' });
}

/**
 * Records the charge before money moves. The basket must be as the claim left it: a process that comes late, after another one
 * has taken over the checkout, is refused here and never confirms its charge.
 */
export function recordCharge(basket: Basket, claimed: Pick<Basket, 'version'>, charge: ChargeReference): Decision {
  const { checkout, version } = basket;
  if (checkout === null || version !== claimed.version) return refused(basket, { reason: 'taken_over' });
  return { outcome: 'changed', basket: { ...basket, checkout: { ...checkout, charge } } };
}

/** A payment that waits for the buyer keeps the tickets for this long, whatever the time of the basket. */
export const buyerWaitSeconds = basketSeconds;

/**
 * The buyer has to act: the lease ends, and the payment waits until the buyer has paid or the time is over. The time begins
 * with the claim, so it ends 15 minutes after the basket's own at the latest. The charge of a prepared payment is
 * recorded here: until then no buyer has the secret that pays it.
 */
export function waitForBuyer(basket: Basket, attempt: number, charge: ChargeReference, nowUnix: number): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    if (checkout.isPaid) return { outcome: 'unchanged', basket };
    const waitUntilUnix = checkout.startedUnix + buyerWaitSeconds;
    return {
      outcome: 'changed',
      basket: { ...basket, checkout: { ...checkout, charge, waitUntilUnix, leaseUntilUnix: nowUnix } },
    };
  });
}

/** Whether a prepared payment waits for the buyer, and no process works on it. */
function isPreparedAndWaiting({ status, checkout }: Basket, nowUnix: number): boolean {
  if (status !== 'checking_out' || checkout === null || checkout.isPaid || !isPrepared(checkout)) return false;
  return checkout.waitUntilUnix !== null && nowUnix >= checkout.leaseUntilUnix;
}

/**
 * Changes the buyer of a prepared payment. The order belongs to the last buyer that the organisation has named. Who that is, is judged as
 * when the payment began: the phase was open then, and may have ended since.
 */
export function changeBuyer(
  basket: Basket,
  { buyer, fan }: Pick<Checkout, 'buyer' | 'fan'>,
  facts: CheckoutFacts,
  nowUnix: number,
): Decision {
  const { checkout } = basket;
  if (checkout === null || !isPreparedAndWaiting(basket, nowUnix)) {
    return refused(basket, notOpenReason(basket, nowUnix) ?? { reason: 'taken_over' });
  }
  const { startedUnix } = checkout;
  const allowed = judgeBuyer(basket, buyer, facts, startedUnix);
  if (allowed.refusal !== undefined) return refused(basket, allowed.refusal);
  const { reservations } = allowed;
  return {
    outcome: 'changed',
    basket: { ...basket, ...reservations, checkout: { ...checkout, buyer, fan, erasedUserId: null } },
  };
}

/** How a payment was paid. */
export interface PaidWith {
  /** Such as card, apple_pay or ideal. */
  readonly methodKind: string | null;
  /** The provider's reference of the method, which later charges need; null if it is unknown. */
  readonly method?: string | null | undefined;
}

export function markPaid(basket: Basket, attempt: number, { methodKind, method = null }: PaidWith): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    if (checkout.isPaid) return { outcome: 'unchanged', basket };
    const plan = checkout.plan ? { ...checkout.plan, savedMethod: method } : null;
    return { outcome: 'changed', basket: { ...basket, checkout: { ...checkout, isPaid: true, methodKind, plan } } };
  });
}

/** After a declined payment the basket is open again with all its items; expired if its time is over or its buyer was erased. */
export function reopenBasket(basket: Basket, attempt: number, nowUnix: number): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    if (checkout.isPaid) return refused(basket, { reason: 'checked_out' });
    return nowUnix >= basket.expiresUnix || checkout.buyer === null
      ? releaseBasket(basket, 'expired')
      : { outcome: 'changed', basket: { ...basket, ...noReservations, status: 'open', checkout: null } };
  });
}

/**
 * Takes over a checkout whose lease has ended. Without a recorded charge no money has moved, and none can move once the attempt
 * has ended: the basket opens again at once.
 */
export function takeOverCheckout(basket: Basket, nowUnix: number): Decision {
  const { checkout } = basket;
  if (basket.status !== 'checking_out' || checkout === null) return { outcome: 'unchanged', basket };
  const { attempt, leaseUntilUnix, charge, isPaid } = checkout;
  if (nowUnix < leaseUntilUnix) return refused(basket, { reason: 'checking_out', leaseUntilUnix });
  if (charge === null && !isPaid) return reopenBasket(basket, attempt, nowUnix);
  return {
    outcome: 'changed',
    basket: { ...basket, checkout: { ...checkout, leaseUntilUnix: nowUnix + checkoutLeaseSeconds } },
  };
}

/**
 * Returns when the sweeper checks the outcome of a checkout: first at the end of its lease, then less and less often. A payment
 * that waits for the buyer stays due, so each run of the sweeper looks at it. The time is derived from the row alone, so
 * all writers of a hint for it write the same one.
 */
export function settleDueUnix({ startedUnix, leaseUntilUnix, waitUntilUnix }: Checkout): number {
  const takenUnix = leaseUntilUnix - checkoutLeaseSeconds;
  if (waitUntilUnix !== null && takenUnix < waitUntilUnix) return leaseUntilUnix;
  const pauseSeconds = retryPauseSeconds(takenUnix - (waitUntilUnix ?? startedUnix));
  return takenUnix === startedUnix ? leaseUntilUnix : takenUnix + pauseSeconds;
}

/** Returns the basket of a completed order. Names and addresses are only in the order from then on. */
export function checkedOut(basket: Basket, customer: BasketCustomer | null, order: BasketOrder): Basket {
  const { checkout } = basket;
  const payment = checkout === null ? null : paymentOf(basket, checkout);
  return {
    ...basket,
    status: 'checked_out',
    lines: withoutHolders(basket.lines),
    checkout: null,
    ...noReservations,
    payment,
    customer: customer && { userId: customer.userId, orgCustomerId: customer.orgCustomerId },
    order,
    longHold: null,
  };
}

function paymentOf({ currency }: Basket, { charge, paymentMethod, amountMinor }: Checkout): BasketPayment | null {
  return charge === null ? null : { ...charge, paymentMethod, amountMinor, currency: currency ?? '' };
}

/** What a payment received, if it differs from what the basket costs. */
export interface ReceivedAmount {
  readonly amountMinor: number;
  readonly currency: string;
}

/** Ends a checkout whose payment cannot become an order: the stock is returned, and a refund is recorded. */
export function abandonCheckout(basket: Basket, attempt: number, nowUnix: number, received?: ReceivedAmount): Decision {
  return changeCheckout(basket, attempt, (checkout) => {
    const ended = releaseBasket(basket, 'expired');
    const charged = paymentOf(basket, checkout);
    const payment = charged && { ...charged, ...received };
    if (ended.outcome !== 'changed' || payment === null) return ended;
    const { amountMinor } = payment;
    const { requestId } = checkout;
    const refund = {
      number: 1,
      amountMinor,
      ticketIds: [],
      memberIds: [],
      state: 'pending',
      startedUnix: nowUnix,
      reason: null,
      requestId,
    } as const;
    return { ...ended, basket: { ...ended.basket, payment, refunds: [refund] } };
  });
}
