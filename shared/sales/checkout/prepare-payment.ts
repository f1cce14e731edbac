import { changeBasket } from '../../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../../data/baskets/buyers.ts';
import { type Basket, type BasketBuyer, isPayable } from '../../domain/baskets/basket.ts';
import type { BasketRefusal } from '../../domain/baskets/changes.ts';
import { changeBuyer } from '../../domain/baskets/checkout.ts';
import type { PaymentChoice } from '../../domain/plans/payment-choice.ts';
import { paymentResource } from '../../mappers/payment.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { BuyerProof, CheckoutDeps } from '../deps.ts';
import { type ClaimOutcome, claimBasket, type EarlierCheckout, earlierCheckout } from './claim.ts';
import { retrievePayment } from './evaluate-payment.ts';
import { fanOf, readFacts } from './facts.ts';
import { type NotCheckedOut, type ShownPayment, takenOver } from './outcomes.ts';
import { createCharge, letBuyerAct, reopenUnpaidBasket } from './pay.ts';
import { isSameCheckout, isSameOption } from './same-request.ts';
import { settleCheckout } from './settle.ts';

export interface PrepareCommand extends BuyerProof {
  readonly basketId: number;
  readonly buyer: BasketBuyer;
  readonly payment?: PaymentChoice | undefined;
  readonly returnUrl: string | null;
}

/** A payment that the buyer pays on the page of the organisation. */
interface PreparedPayment {
  readonly outcome: 'prepared';
  readonly payment: ShownPayment;
}

export type PreparePaymentResult = PreparedPayment | NotCheckedOut;

/**
 * Claims a basket and creates its payment, which the buyer pays with the provider's own component. The basket cannot change
 * until the payment has ended, so a repeated request returns the same payment. Any other payment of the basket is settled first.
 */
export async function preparePayment(deps: CheckoutDeps, command: PrepareCommand): Promise<PreparePaymentResult> {
  const nowUnix = unixSeconds(deps.clock);
  const claim = () => claimBasket(deps, { ...command, paymentMethod: null }, 'prepare');
  const first = await claim();
  const earlier = earlierCheckout(first, nowUnix);
  if (earlier === undefined) return prepareNew(deps, command, first);
  const existing = await findExisting(deps, command, earlier, nowUnix);
  if (existing !== undefined) return existing;
  const settled = await settleCheckout(deps, command.basketId, () => []);
  if (settled.outcome === 'unknown') return { outcome: 'payment_unknown' };
  if (settled.outcome === 'payment_mismatch') return settled;
  return prepareNew(deps, command, await claim());
}

async function prepareNew(
  deps: CheckoutDeps,
  { returnUrl }: PrepareCommand,
  claim: ClaimOutcome,
): Promise<PreparePaymentResult> {
  if (claim.outcome !== 'claimed') return claim;
  const { basket, checkout } = claim;
  const { attempt, account } = checkout;
  const created = await createCharge(deps, { ...claim, returnUrl });
  if (created.outcome !== 'created') return reopenUnpaidBasket(deps, basket, attempt, created);
  const { payment, provider, charge } = created;
  // The secret of the payment is shown after this is written, so no buyer can pay what the basket does not know.
  const waiting = await letBuyerAct(deps, basket, attempt, charge);
  if (waiting.outcome !== 'changed') return takenOver;
  return { outcome: 'prepared', payment: paymentResource({ provider, account, payment }) };
}

/** The prepared payment of the basket, as long as the buyer can pay it or has paid it. The buyer of the last request counts. */
async function findExisting(
  deps: CheckoutDeps,
  command: PrepareCommand,
  { basket, checkout }: EarlierCheckout,
  nowUnix: number,
): Promise<PreparePaymentResult | undefined> {
  if (!isPayable(checkout, nowUnix) || !isSameOption(checkout, command)) return undefined;
  // The card would be saved for the customer of the buyer before: another person begins another payment.
  if (checkout.charge?.customer != null && !isSameCheckout(checkout, command)) return undefined;
  const found = await retrievePayment(deps, basket, checkout);
  if (found === 'unknown') return { outcome: 'provider_unavailable' };
  const { evaluation, payment, provider } = found;
  const isUsable = ['waiting', 'processing', 'paid'].includes(evaluation.verdict);
  if (!isUsable) return undefined;
  if (!isSameCheckout(checkout, command)) {
    const refusal = await replaceBuyer(deps, basket, command);
    if (refusal !== undefined) return { outcome: 'refused', refusal };
  }
  const account = checkout.charge?.account ?? null;
  return { outcome: 'prepared', payment: paymentResource({ provider, account, payment }) };
}

async function replaceBuyer(
  { table, orgId, clock }: CheckoutDeps,
  { basketId, checkout }: Basket,
  { buyer, signedIn, membershipMemberId }: PrepareCommand,
): Promise<BasketRefusal | undefined> {
  const nowUnix = unixSeconds(clock);
  const fan = await fanOf({ table, orgId }, signedIn);
  const changed = await changeBasket(
    table,
    {
      orgId,
      basketId,
      decide: async (current) => {
        // Another payment may have begun since.
        if (current.checkout?.attempt !== checkout?.attempt) {
          return { outcome: 'refused', refusal: { reason: 'taken_over' }, basket: current };
        }
        const judgedUnix = current.checkout?.startedUnix ?? nowUnix;
        const facts = await readFacts({ table, orgId }, current, { buyer, fan, membershipMemberId }, judgedUnix);
        return changeBuyer(current, { buyer, fan }, facts, nowUnix);
      },
    },
    await buyerPointerPuts(table, orgId),
  );
  if (changed.outcome === 'refused') return changed.refusal;
  return changed.outcome === 'missing' ? { reason: 'taken_over' } : undefined;
}
