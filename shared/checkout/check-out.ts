import { type BasketRule, type ChangedBasket, changeBasket } from '../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../data/baskets/buyers.ts';
import { readEvent } from '../data/events/read.ts';
import { paidTypesOf } from '../data/members/by-email.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import { type Basket, type BasketBuyer, basketStatusAt, type Checkout } from '../domain/baskets/basket.ts';
import type { BasketRefusal } from '../domain/baskets/changes.ts';
import {
  beginCheckout,
  type CheckoutFacts,
  requiredMembershipTypes,
  settleDueUnix,
} from '../domain/baskets/checkout.ts';
import type { Buyer } from '../domain/orders/order.ts';
import { unixSeconds } from '../platform/clock.ts';
import { completeOrder, readConfirmedOrder } from './complete-order.ts';
import type { CheckoutDeps, Confirmed, OrderSideEffects } from './deps.ts';
import { pay, type Unpaid } from './pay.ts';
import { settleCheckout } from './settle.ts';

export interface CheckoutCommand {
  readonly basketId: number;
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
}

/** Why a basket did not become an order. */
export type NotCheckedOut =
  | Unpaid
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal }
  | { readonly outcome: 'missing' };

export type CheckedOut = Confirmed | NotCheckedOut;

/**
 * Checks out a basket: claims it for one payment, pays, and creates the order. Only one of several concurrent requests
 * succeeds. A checkout that a crash interrupted is settled first, as the sweeper does. A repeated request gets the order.
 */
export async function checkOut(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  const claimed = await claimBasket(deps, command);
  if (claimed.outcome !== 'refused' || !isAbandoned(claimed.basket, unixSeconds(deps.clock))) {
    return payAndComplete(deps, command, claimed, sideEffects);
  }
  const settled = await settleAbandoned(deps, command, claimed.basket, sideEffects);
  return settled ?? payAndComplete(deps, command, await claimBasket(deps, command), sideEffects);
}

async function payAndComplete(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  claimed: ChangedBasket,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut> {
  if (claimed.outcome === 'missing') return claimed;
  if (claimed.outcome === 'refused') return (await findRepeatedOrder(deps, command, claimed.basket)) ?? claimed;
  const { basket } = claimed;
  const paid = basket.checkout === null ? takenOver : await pay(deps, basket, basket.checkout);
  if (paid.outcome === 'paid') return completeOrder(deps, basket.basketId, sideEffects);
  return paid.outcome === 'taken_over' ? { outcome: 'refused', refusal: { reason: paid.outcome } } : paid;
}

/** The order, if the same request created it before: a client that repeats a request did not receive its response. */
async function findRepeatedOrder(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  basket: Basket,
): Promise<Confirmed | undefined> {
  if (basket.status !== 'checked_out') return undefined;
  const confirmed = await readConfirmedOrder(deps, basket);
  const { order } = confirmed.placed;
  const paymentMethod = basket.payment?.paymentMethod ?? null;
  const first = { buyer: order, paymentMethod, amountMinor: order.totalMinor };
  return isSameRequest(first, command) ? confirmed : undefined;
}

const takenOver = { outcome: 'taken_over' } as const;

/**
 * Settles an interrupted checkout. Returns the outcome for this request: the order, if the earlier request was the same and
 * was paid, or payment_unknown. Undefined when the basket may be open again, or became the order of a different request.
 */
async function settleAbandoned(
  deps: CheckoutDeps,
  command: CheckoutCommand,
  { basketId, checkout }: Basket,
  sideEffects: OrderSideEffects,
): Promise<CheckedOut | undefined> {
  const isSame = checkout !== null && isSameRequest(checkout, command);
  const settled = await settleCheckout(deps, basketId, isSame ? sideEffects : () => []);
  if (settled.outcome === 'unknown') return { outcome: 'payment_unknown' };
  return settled.outcome === 'confirmed' && isSame ? settled : undefined;
}

async function claimBasket(
  { table, orgId, payments, clock, requestId }: CheckoutDeps,
  { basketId, buyer, paymentMethod }: CheckoutCommand,
): Promise<ChangedBasket> {
  const { needsAccount } = await payments.current();
  const account = needsAccount ? await readPaymentAccount({ table, orgId }) : null;
  const nowUnix = unixSeconds(clock);
  const request = { buyer, paymentMethod, account, needsAccount, requestId: requestId ?? null };
  const rule: BasketRule = {
    orgId,
    basketId,
    decide: async (basket) => {
      const facts = await readFacts({ table, orgId }, basket, buyer, nowUnix);
      return beginCheckout(basket, request, facts, nowUnix);
    },
    recheckTimes: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
  };
  return changeBasket(table, rule, (basket) => buyerPointerPuts(table, orgId, basket));
}

/** Reads nothing about a basket that cannot be checked out in any case. */
async function readFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  { emailAddress }: BasketBuyer,
  nowUnix: number,
): Promise<CheckoutFacts> {
  const { eventId } = basket;
  const noTypes: ReadonlySet<number> = new Set();
  if (eventId === null || basketStatusAt(basket, nowUnix) !== 'open') return { event: undefined, paidTypes: noTypes };
  const isForMembers = requiredMembershipTypes(basket).length > 0;
  const [event, paidTypes] = await Promise.all([
    readEvent(table, orgId, eventId, { consistent: true }),
    isForMembers ? paidTypesOf(table, orgId, emailAddress, nowUnix) : noTypes,
  ]);
  return { event, paidTypes };
}

async function readPaymentAccount({ table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>): Promise<string | null> {
  const organisation = await readOrganisation(table, orgId);
  return organisation?.paymentAccountId ?? null;
}

/** Whether a checkout began and its lease has expired. */
function isAbandoned({ status, checkout }: Basket, nowUnix: number): boolean {
  return status === 'checking_out' && checkout !== null && nowUnix >= checkout.leaseUntilUnix;
}

interface FirstRequest extends Pick<Checkout, 'paymentMethod' | 'amountMinor'> {
  readonly buyer: Pick<Buyer, keyof BasketBuyer> | null;
}

function isSameRequest(first: FirstRequest, { buyer, paymentMethod }: CheckoutCommand): boolean {
  return (
    // The payment method of a free order is not stored.
    (first.amountMinor === 0 || first.paymentMethod === paymentMethod) &&
    first.buyer?.emailAddress === buyer.emailAddress &&
    first.buyer?.firstName === buyer.firstName &&
    first.buyer?.lastName === buyer.lastName
  );
}
