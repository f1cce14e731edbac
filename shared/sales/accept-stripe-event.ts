import { readBasket } from '../data/baskets/baskets.ts';
import { readPlan } from '../data/plans/plans.ts';
import type { Basket, ChargeReference } from '../domain/baskets/basket.ts';
import { ownerOfCharge, refundNumberOf } from '../domain/payments/charge-key.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import type { KnownCharge, PaymentProvider } from '../payments/provider.ts';
import type { StripeEvent } from '../payments/stripe-events.ts';
import { startTimeBudget, unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import { countOutcome } from '../platform/log.ts';
import { alertOperator } from './alert-operator.ts';
import { isPaymentDue, sweepPayment } from './checkout/sweep-basket.ts';
import type { CheckoutDeps } from './deps.ts';
import { announceDispute } from './disputes/announce-dispute.ts';
import { recordDisputedMoney } from './disputes/record-disputed-money.ts';
import { recordFailedRefund } from './refunds/record-failed-refund.ts';

/** The sweeper executes the refunds that are not begun by then. */
const workSeconds = 10;

type EventDeps = Omit<CheckoutDeps, 'orgId' | 'requestId'>;

/**
 * Carries out what an event of Stripe is about. It says only where to look: the provider is asked before anything changes, so
 * late, repeated and unordered events do no harm. Stripe sends an event again until it is acknowledged.
 */
export async function acceptStripeEvent(deps: EventDeps, event: StripeEvent): Promise<void> {
  // Its signature is right. Refused requests alone say nothing: everyone can send them.
  countOutcome('receive-stripe-event', 'Accepted');
  const provider = await deps.payments.byName('stripe');
  if (provider === undefined || event.kind === 'other') return;
  // The live key does not know a payment that a club made in test mode. Not acknowledged, Stripe would repeat the event for days.
  if (event.isTest && provider.publishableKey?.startsWith('pk_live_')) return;
  if (event.kind === 'paid') await acceptPaid(deps, provider, event);
  else if (event.kind === 'disputed') await acceptDispute(deps, provider, event);
  else await acceptFailedRefund(deps, provider, event);
}

/** Books back what the provider accepted to return and did not return. Refunds that were made in its dashboard are not known here. */
async function acceptFailedRefund(
  deps: EventDeps,
  provider: PaymentProvider,
  { account, chargeId, refundKey, amountMinor }: Extract<StripeEvent, { kind: 'refund_failed' }>,
): Promise<void> {
  if (refundKey === null) return;
  const { signal } = new AbortController();
  const { orgId, key } = await provider.retrieve({ orgId: '', account, chargeId, key: '' }, signal);
  const owner = ownerOfCharge(key ?? '');
  if (orgId === null || !Number.isSafeInteger(owner.id)) return;
  const plan = owner.kind === 'instalment' ? await readPlan(deps.table, orgId, owner.id) : undefined;
  const basketId = plan?.orderId ?? owner.id;
  const basket = await readBasket(deps.table, orgId, basketId);
  // An account can give its own payments any metadata, and so name an order of another organisation.
  const isOfOrder = chargesOf(basket, plan).some((charge) => isCharge(charge, { chargeId, account }));
  const number = refundNumberOf(refundKey);
  const ofOrganisation = { ...deps, orgId, requestId: undefined };
  if (number !== undefined && isOfOrder) {
    await recordFailedRefund(ofOrganisation, { basketId, number, failed: { key: refundKey, amountMinor } });
  }
  alertOperator('RefundRefused', { orgId, basketId, chargeId });
}

/** The charges that paid an order, also those of shares that were returned and are owed again. */
function chargesOf(basket: Basket | undefined, plan: PlanRecord | undefined): readonly (ChargeReference | null)[] {
  if (basket === undefined) return [];
  const returned = basket.refunds.flatMap(({ returnedShares = [] }) => returnedShares);
  return [basket.payment, ...[...(plan?.instalments ?? []), ...returned].map(({ charge }) => charge)];
}

type NamedCharge = Pick<ChargeReference, 'chargeId' | 'account'>;

const isCharge = (charge: NamedCharge | null | undefined, { chargeId, account }: NamedCharge): boolean =>
  charge?.chargeId === chargeId && charge.account === account;

/** Makes the order of a payment at once. Without the event, the sweeper would make it within a minute. */
async function acceptPaid(
  deps: EventDeps,
  provider: PaymentProvider,
  { orgId, basketId, chargeId, account }: Extract<StripeEvent, { kind: 'paid' }>,
): Promise<void> {
  const ofOrganisation = { ...deps, orgId, requestId: undefined };
  const basket = Number.isSafeInteger(basketId) ? await readBasket(deps.table, orgId, basketId) : undefined;
  if (basket === undefined) return;
  const isKnown = [basket.checkout?.charge, basket.payment].some((charge) => isCharge(charge, { chargeId, account }));
  if (isKnown) {
    if (!isPaymentDue(basket, unixSeconds(deps.clock))) return;
    await sweepPayment(ofOrganisation, basket, startTimeBudget(workSeconds));
    return;
  }
  // A charge that its basket does not know was never shown to a buyer, or was cancelled. If it is paid anyway, the money
  // goes back.
  await refundUnknown(provider, { orgId, account, chargeId, key: `${basketId}-unknown` }, basketId);
}

async function refundUnknown(provider: PaymentProvider, charge: KnownCharge, basketId: number): Promise<void> {
  const { signal } = new AbortController();
  const payment = await provider.retrieve(charge, signal);
  const isOurs = payment.orgId === charge.orgId && payment.key?.startsWith(`${basketId}-`) === true;
  if (!isOurs || payment.status === 'failed') return;
  // Nothing else looks at this payment again. Stripe sends an event again that is not acknowledged.
  if (payment.status !== 'succeeded') throw new Fault(`Stripe reports and denies that ${charge.chargeId} is paid.`);
  alertOperator('PaymentMismatch', { ...charge, basketId });
  const { amountMinor, currency } = payment;
  await provider.refund(charge, { key: `${charge.chargeId}-unknown`, amountMinor, currency }, signal);
}

/** Announces a dispute of the order that the provider names for the payment, or enters what happened to its money. */
async function acceptDispute(
  deps: EventDeps,
  provider: PaymentProvider,
  { account, chargeId, dispute, move }: Extract<StripeEvent, { kind: 'disputed' }>,
): Promise<void> {
  const { signal } = new AbortController();
  const { orgId, key } = await provider.retrieve({ orgId: '', account, chargeId, key: '' }, signal);
  const owner = ownerOfCharge(key ?? '');
  if (orgId === null || !Number.isSafeInteger(owner.id)) return;
  const disputed = { orgId, owner, account, chargeId, dispute };
  if (move === undefined) await announceDispute(deps, disputed);
  else await recordDisputedMoney(deps, disputed, move);
}
