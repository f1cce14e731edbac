import { basketHint, changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { putBuyerPointers } from '../../data/baskets/buyers.ts';
import { type OrganisationRecord, readOrganisation } from '../../data/organisations/organisation.ts';
import { putHint } from '../../data/table/due-hints.ts';
import { type Basket, type BasketBuyer, basketStatusAt, type Checkout } from '../../domain/baskets/basket.ts';
import type { BasketRefusal } from '../../domain/baskets/changes.ts';
import {
  beginCheckout,
  type CheckoutRequest,
  type CheckoutStart,
  checkoutLeaseSeconds,
} from '../../domain/baskets/checkout.ts';
import type { RequestedTender } from '../../domain/orders/tender.ts';
import type { PaymentChoice } from '../../domain/plans/payment-choice.ts';
import type { PaymentPresentation } from '../../payments/provider.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { BuyerProof, CheckoutDeps } from '../deps.ts';
import { fanOf, noFacts, readFacts } from './facts.ts';

export interface ClaimCommand extends BuyerProof {
  readonly basketId: number;
  /** Null if a tender names nobody. */
  readonly buyer: BasketBuyer | null;
  readonly paymentMethod: string | null;
  readonly payment?: PaymentChoice | undefined;
  readonly tender?: RequestedTender | undefined;
}

/** A basket that is claimed for one payment, and what the payment needs besides. */
export interface ClaimedBasket {
  readonly outcome: 'claimed';
  readonly basket: Basket;
  readonly checkout: Checkout;
  readonly presentation: PaymentPresentation;
}

export type ClaimOutcome =
  | ClaimedBasket
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket }
  | { readonly outcome: 'missing' };

/** Claims a basket for one payment. Reads what the payment needs to know about the organisation. */
export async function claimBasket(
  { table, orgId, payments, clock, requestId }: CheckoutDeps,
  { basketId, buyer, signedIn, membershipMemberId, paymentMethod, payment, tender }: ClaimCommand,
  start: CheckoutStart,
): Promise<ClaimOutcome> {
  // Without a payment nothing is asked of the provider.
  const needsAccount = tender === undefined && (await payments.current()).needsAccount;
  const [organisation, fan, known] = await Promise.all([
    needsAccount ? readOrganisation(table, orgId) : undefined,
    fanOf({ table, orgId }, signedIn),
    readBasket(table, orgId, basketId),
  ]);
  const account = organisation?.paymentAccountId ?? null;
  const nowUnix = unixSeconds(clock);
  const about = { start, buyer, fan, requestId: requestId ?? null };
  const request = { ...about, paymentMethod, account, needsAccount, payment, tender };
  const isClaimable = (basket: Basket) => basketStatusAt(basket, nowUnix) === 'open' && basket.lines.length > 0;
  const claimed = await changeBasket(table, {
    orgId,
    basketId,
    known,
    decide: async (basket) => {
      const proven = { buyer, fan, membershipMemberId };
      const facts = isClaimable(basket) ? await readFacts({ table, orgId }, basket, proven, nowUnix) : noFacts;
      return beginCheckout(basket, request, facts, nowUnix);
    },
    writeFirst: async (basket) => {
      if (isClaimable(basket)) await putHintAndPointers({ table, orgId }, basketId, request, nowUnix);
    },
  });
  if (claimed.outcome === 'missing' || claimed.outcome === 'refused') return claimed;
  const { basket } = claimed;
  const { checkout } = basket;
  if (checkout === null) throw new Fault(`The basket ${basketId} is claimed without a checkout.`);
  return {
    outcome: 'claimed',
    basket,
    checkout,
    presentation: presentationOf(organisation, buyer),
  };
}

/** A basket with a checkout that no process works on: its lease has ended, or its payment waits for the buyer. */
export interface EarlierCheckout {
  readonly basket: Basket;
  readonly checkout: Checkout;
}

/** The earlier checkout that kept this request from claiming the basket; undefined if there is none, or a process still works on it. */
export function earlierCheckout(claim: ClaimOutcome, nowUnix: number): EarlierCheckout | undefined {
  if (claim.outcome !== 'refused' || claim.basket.status !== 'checking_out') return undefined;
  const { basket } = claim;
  const { checkout } = basket;
  return checkout !== null && nowUnix >= checkout.leaseUntilUnix ? { basket, checkout } : undefined;
}

/** How the buyer sees the payment, by the settings of the organisation. */
function presentationOf(organisation: OrganisationRecord | undefined, buyer: BasketBuyer | null): PaymentPresentation {
  return {
    statementDescriptor: organisation?.statementDescriptor ?? null,
    receiptEmail: organisation?.sendsReceipts && buyer !== null ? buyer.emailAddress : null,
  };
}

/**
 * Writes what leads to the basket while it is being checked out: the sweeper's hint, and the pointers from the buyer. They are
 * written before the claim, so the claim is a single write. They do no harm if the basket is not claimed: the sweeper finds
 * nothing to do, and a pointer says only that the person tried. The hint is due after the function has ended.
 */
async function putHintAndPointers(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basketId: number,
  { buyer, fan, requestId }: Pick<CheckoutRequest, 'buyer' | 'fan' | 'requestId'>,
  nowUnix: number,
): Promise<void> {
  const dueUnix = nowUnix + checkoutLeaseSeconds;
  await Promise.all([
    putHint(table, basketHint(orgId, { basketId }, dueUnix), { requestId: requestId ?? undefined }),
    buyer && putBuyerPointers(table, orgId, { basketId, buyer, fan, dueUnix }),
  ]);
}
