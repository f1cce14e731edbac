import { type ChangedBasket, changeBasket } from '../data/baskets.ts';
import { paidTypesOf } from '../data/members-by-email.ts';
import { readOrganisation } from '../data/organisation.ts';
import type { BasketRefusal } from '../domain/basket-changes.ts';
import { beginCheckout, memberTypesOf, settleDueUnix } from '../domain/basket-checkout.ts';
import type { Basket, BasketBuyer, Checkout } from '../domain/basket-record.ts';
import { unixSeconds } from '../platform/clock.ts';
import { complete } from './complete.ts';
import type { AlongOrder, Confirmed, Desk } from './desk.ts';
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
 * Checks a basket out: claims it for one payment, pays, and makes it an order. Of several at once one gets through. What a
 * crash left half done is settled first, as the sweeper would do it.
 */
export async function checkOut(desk: Desk, command: CheckoutCommand, along: AlongOrder): Promise<CheckedOut> {
  const begun = await begin(desk, command);
  if (begun.outcome !== 'refused' || !isAbandoned(begun.basket, unixSeconds(desk.clock))) {
    return goOn(desk, begun, along);
  }
  const settled = await settleFirst(desk, command, begun.basket, along);
  return settled ?? goOn(desk, await begin(desk, command), along);
}

async function goOn(desk: Desk, begun: ChangedBasket, along: AlongOrder): Promise<CheckedOut> {
  if (begun.outcome === 'missing' || begun.outcome === 'refused') return begun;
  const { basket } = begun;
  const paid = basket.checkout === null ? takenOver : await pay(desk, basket, basket.checkout);
  if (paid.outcome === 'paid') return complete(desk, basket.basketId, along);
  return paid.outcome === 'taken_over' ? { outcome: 'refused', refusal: { reason: paid.outcome } } : paid;
}

const takenOver = { outcome: 'taken_over' } as const;

/**
 * What became of somebody's payment before, when that answers this request: an order, if it was paid and for the same; or that
 * nobody knows. Undefined when the basket may be open now, or has become an order for somebody else.
 */
async function settleFirst(
  desk: Desk,
  command: CheckoutCommand,
  { basketId, checkout }: Basket,
  along: AlongOrder,
): Promise<CheckedOut | undefined> {
  const isSame = isSameRequest(checkout, command);
  const settled = await settleCheckout(desk, basketId, isSame ? along : () => []);
  if (settled.outcome === 'unknown') return { outcome: 'payment_unknown' };
  return settled.outcome === 'confirmed' && isSame ? settled : undefined;
}

async function begin(
  { table, orgId, payments, clock }: Desk,
  { basketId, buyer, paymentMethod }: CheckoutCommand,
): Promise<ChangedBasket> {
  const { needsAccount } = await payments.current();
  const account = needsAccount ? await accountOf({ table, orgId }) : null;
  const nowUnix = unixSeconds(clock);
  return changeBasket(table, {
    orgId,
    basketId,
    judge: async (basket) => {
      const isForMembers = memberTypesOf(basket).length > 0;
      const types = isForMembers ? await paidTypesOf(table, orgId, buyer.emailAddress, nowUnix) : new Set<number>();
      return beginCheckout(basket, { buyer, paymentMethod, account, needsAccount }, types, nowUnix);
    },
    lookAgain: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
  });
}

async function accountOf({ table, orgId }: Pick<Desk, 'table' | 'orgId'>): Promise<string | null> {
  const organisation = await readOrganisation(table, orgId);
  return organisation?.paymentAccountId ?? null;
}

/** Somebody began to pay for it and is not at work on it any more. */
function isAbandoned({ status, checkout }: Basket, nowUnix: number): boolean {
  return status === 'checking_out' && checkout !== null && nowUnix >= checkout.leaseUntilUnix;
}

function isSameRequest(checkout: Checkout | null, { buyer, paymentMethod }: CheckoutCommand): boolean {
  return (
    checkout !== null &&
    // Where there was nothing to pay, the method was not kept.
    (checkout.amountMinor === 0 || checkout.paymentMethod === paymentMethod) &&
    checkout.buyer.emailAddress === buyer.emailAddress &&
    checkout.buyer.firstName === buyer.firstName &&
    checkout.buyer.lastName === buyer.lastName
  );
}
