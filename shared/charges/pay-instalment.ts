import { readOrganisation } from '../data/organisations/organisation.ts';
import { changePlanWithHint, planPut, readPlan, savePlan } from '../data/plans/plans.ts';
import { noSideEffects, transact } from '../data/table/transact.ts';
import type { ChargeReference } from '../domain/baskets/basket.ts';
import type { Tender } from '../domain/orders/tender.ts';
import { instalmentChargeKey } from '../domain/payments/charge-key.ts';
import { beginCharge, chargePaid, dropCharge, paidElsewhere, recordPlanCharge } from '../domain/plans/charge.ts';
import {
  type Instalment,
  isSettled,
  type PlanCharge,
  type PlanRecord,
  payableInstalment,
} from '../domain/plans/plan.ts';
import { isToReport, reportPaid } from '../domain/plans/unanswered-payment.ts';
import { paymentResource } from '../mappers/payment.ts';
import { callProvider } from '../payments/payments.ts';
import type { KnownCharge, PaymentState } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';
import type { PayCommand, PayResult } from './pay-outcomes.ts';
import { type Payee, payeeOf, prepareCharge } from './prepare-charge.ts';
import { recordOutcome } from './record-plan.ts';
import { recordPaid, retrieveOrCancelCharge, settleCharge } from './settle-charge.ts';

/**
 * Lets a member pay an instalment: with a payment method, or on the page of the organisation. Only one charge of a plan is in
 * progress, and a hint leads the worker to it: it settles what this process does not end. The method that pays is saved for
 * the later instalments if the member wants that.
 */
export async function payInstalment(request: ChargeDeps, command: PayCommand): Promise<PayResult> {
  const { receipt = noSideEffects, table, orgId } = request;
  const deps = { ...request, receipt };
  const found = await readPlan(table, orgId, command.planId);
  if (found === undefined) return { outcome: 'missing' };
  if (command.saves === true && isOtherPerson(found, command)) return { outcome: 'other_person' };
  const earlier = found.charge === null ? undefined : await endEarlier(deps, found, found.charge, command);
  if (earlier !== undefined) return earlier;
  const plan = await readPlan(table, orgId, command.planId);
  if (plan === undefined) return { outcome: 'missing' };
  if (plan.charge !== null) return { outcome: 'in_progress' };
  if (command.number === null && isToReport(plan, unixSeconds(deps.clock))) return report(deps, plan);
  const chosen = chooseInstalment(plan, command.number);
  return 'outcome' in chosen ? chosen : payNew(deps, plan, chosen, command);
}

/** Says, once, that the payment of a request that got no answer was found. Nothing is charged. */
async function report({ table, orgId, receipt = noSideEffects }: ChargeDeps, before: PlanRecord): Promise<PayResult> {
  const plan = { ...reportPaid(before), version: before.version + 1 };
  const refusals = await transact(table, [planPut(table, orgId, before, plan)], receipt(plan));
  return refusals.length === 0 ? { outcome: 'paid', plan } : { outcome: 'in_progress' };
}

/** Whether the membership belongs to another customer by now than the one who owes the instalments. */
const isOtherPerson = (plan: PlanRecord, { userId }: PayCommand): boolean =>
  userId !== undefined && userId !== plan.userId;

type NotPayable =
  | Extract<PayResult, { outcome: 'paid' }>
  | { readonly outcome: 'not_due' | 'cancelled' | 'no_such_instalment' };

/** A named instalment that is paid is the result of a repeated request. */
function chooseInstalment(plan: PlanRecord, number: number | null): Instalment | NotPayable {
  if (number === null) return payableInstalment(plan) ?? { outcome: 'not_due' };
  const named = plan.instalments.find((one) => one.number === number);
  if (named === undefined) return { outcome: 'no_such_instalment' };
  if (named.status === 'paid') return { outcome: 'paid', plan };
  return named.status === 'cancelled' ? { outcome: 'cancelled' } : named;
}

/** Ends the charge in progress, or says what became of it. Undefined: another one may begin. */
async function endEarlier(
  deps: ChargeDeps,
  plan: PlanRecord,
  inProgress: PlanCharge,
  command: PayCommand,
): Promise<PayResult | undefined> {
  const nowUnix = unixSeconds(deps.clock);
  if (nowUnix < inProgress.leaseUntilUnix) return { outcome: 'in_progress' };
  const isWaiting = inProgress.waitUntilUnix !== null && nowUnix < inProgress.waitUntilUnix;
  const waiting = isWaiting && isAbout(inProgress, command) ? await verify(deps, plan, inProgress) : undefined;
  if (waiting !== undefined) return waiting;
  // Whoever sends a request again because its outcome was not known wants to pay one instalment and not two.
  const isAnswer = command.number === null || command.number === inProgress.number;
  const settled = await settleCharge(isAnswer ? deps : { ...deps, receipt: undefined }, plan, inProgress);
  if (settled === 'unknown') return { outcome: 'payment_unknown' };
  return settled === 'paid' && isAnswer ? paidNow(deps, plan) : undefined;
}

/** The plan whose charge in progress was just recorded as paid. */
async function paidNow({ table, orgId }: ChargeDeps, { planId }: PlanRecord): Promise<PayResult> {
  const plan = await readPlan(table, orgId, planId);
  return plan === undefined ? { outcome: 'missing' } : { outcome: 'paid', plan };
}

/** Whether a request is about the payment that waits for the member. */
function isAbout(inProgress: PlanCharge, { number, paymentMethod }: PayCommand): boolean {
  return (number ?? inProgress.number) === inProgress.number && paymentMethod === inProgress.paymentMethod;
}

/** Asks for a payment that waits for the member. Undefined if one on a page has failed: then another one is prepared. */
async function verify(deps: ChargeDeps, plan: PlanRecord, inProgress: PlanCharge): Promise<PayResult | undefined> {
  const payment = await retrieveOrCancelCharge(deps, plan, inProgress, 'retrieve');
  if (payment === 'unknown' || payment.status === 'processing') return { outcome: 'payment_unknown' };
  const isNamed = inProgress.paymentMethod !== null;
  // On a page the member tries another card. One that the request named was not approved.
  if (isNamed && payment.status !== 'succeeded' && payment.status !== 'requires_action') {
    return declineUnapproved(deps, plan, inProgress, payment);
  }
  if (payment.status === 'failed') return undefined;
  if (payment.status !== 'succeeded') return shown(deps, plan, inProgress, payment);
  const paid = await recordPaid(deps, plan, inProgress, payment);
  return paid === undefined ? { outcome: 'in_progress' } : { outcome: 'paid', plan: paid };
}

/** The owner of the card has failed to approve it: the charge is cancelled before it is called declined. */
async function declineUnapproved(
  deps: ChargeDeps,
  plan: PlanRecord,
  inProgress: PlanCharge,
  { declineCode, declineMessage }: PaymentState,
): Promise<PayResult> {
  switch (await settleCharge(deps, plan, inProgress)) {
    case 'unknown':
      return { outcome: 'payment_unknown' };
    case 'paid':
      return paidNow(deps, plan);
    case 'unpaid':
      return { outcome: 'declined', code: declineCode, message: declineMessage ?? 'The payment was not approved.' };
  }
}

/** A payment that waits for the member, as it is now. */
async function shown(
  { payments }: ChargeDeps,
  plan: PlanRecord,
  { charge, paymentMethod }: PlanCharge,
  payment: PaymentState,
): Promise<PayResult> {
  const provider = await payments.byName(charge?.provider ?? '');
  if (provider === undefined) return { outcome: 'payment_unknown' };
  const resource = paymentResource({ provider, account: charge?.account ?? null, payment });
  return paymentMethod === null
    ? { outcome: 'prepared', plan, payment: resource }
    : { outcome: 'action_required', payment: resource };
}

async function payNew(
  deps: ChargeDeps,
  plan: PlanRecord,
  { number }: Instalment,
  command: PayCommand,
): Promise<PayResult> {
  const { paymentMethod, saves = false, returnUrl } = command;
  const { table, orgId, clock, payments, requestId } = deps;
  const [provider, organisation] = await Promise.all([payments.current(), readOrganisation(table, orgId)]);
  const payee = payeeOf(provider, organisation);
  if (provider.needsAccount && payee.account === null) return { outcome: 'account_missing' };
  const nowUnix = unixSeconds(clock);
  const named = command.number !== null;
  const wanted = { number, paymentMethod, saves, named, requestId: requestId ?? null, nowUnix };
  const begun = await changePlanWithHint(table, orgId, plan, beginCharge(plan, wanted));
  if (begun?.charge == null) return { outcome: 'in_progress' };
  const customer = isOtherPerson(plan, command) ? null : await customerFor(deps, begun, begun.charge, payee);
  const how = { customer, paymentMethod, returnUrl, savesMethod: saves && customer !== null };
  const prepared =
    customer === 'unknown'
      ? 'unknown'
      : await prepareCharge(deps, { plan: begun, inProgress: begun.charge }, payee, { ...how, customer });
  if (prepared === 'unknown') return drop(deps, begun, { outcome: 'provider_unavailable' });
  if (prepared.outcome === 'refused') return drop(deps, begun, { outcome: 'provider_refused', code: prepared.code });
  if (prepared.outcome !== 'prepared') return drop(deps, begun, prepared);
  const { payment } = prepared;
  const charge = { provider: provider.name, chargeId: payment.chargeId, account: payee.account };
  const saved = saves ? savedFor(begun, payee, customer === 'unknown' ? null : customer) : {};
  const waits = paymentMethod === null;
  const recording = { ...recordPlanCharge(begun, charge, { waits, nowUnix: unixSeconds(clock) }), ...saved };
  const recorded = await changePlanWithHint(table, orgId, begun, recording);
  if (recorded === undefined) return { outcome: 'in_progress' };
  return waits
    ? { outcome: 'prepared', plan: recorded, payment: paymentResource({ provider, account: payee.account, payment }) }
    : confirm(deps, recorded, payee, { charge, returnUrl });
}

/** A new customer on a new account has no method until the payment is paid. */
function savedFor({ customer: known }: PlanRecord, { provider, account }: Payee, customer: string | null) {
  return customer === known ? {} : { provider: provider.name, account, customer, paymentMethod: null };
}

/** The customer who pays, and for whom the method is saved: a new one on a new account. None for a person who was erased. */
async function customerFor(
  { orgId, payments }: ChargeDeps,
  plan: PlanRecord,
  inProgress: PlanCharge,
  { provider, account }: Payee,
): Promise<string | null | 'unknown'> {
  const isKnown = plan.customer === null || (provider.name === plan.provider && account === plan.account);
  if (isKnown) return plan.customer;
  if (inProgress.saves !== true) return null;
  const created = { orgId, account, key: `${instalmentChargeKey(plan, inProgress)}-customer` };
  return callProvider(provider, payments.timeoutMs, (api, signal) => api.createCustomer(created, signal));
}

/** Moves the money of a recorded charge, while the member is there. */
async function confirm(
  deps: ChargeDeps,
  recorded: PlanRecord,
  { provider, account }: Payee,
  { charge, returnUrl }: { readonly charge: ChargeReference; readonly returnUrl: string | null },
): Promise<PayResult> {
  const { table, orgId, clock, payments } = deps;
  const { charge: inProgress } = recorded;
  if (inProgress === null) return { outcome: 'in_progress' };
  const key = instalmentChargeKey(recorded, inProgress);
  const known: KnownCharge = { orgId, account, key, chargeId: charge.chargeId };
  const confirmed = await callProvider(provider, payments.timeoutMs, (api, signal) =>
    api.confirm({ ...known, returnUrl }, signal),
  );
  if (confirmed === 'unknown') return { outcome: 'payment_unknown' };
  switch (confirmed.outcome) {
    case 'pending':
      return { outcome: 'payment_unknown' };
    case 'refused':
      return drop(deps, recorded, { outcome: 'provider_refused', code: confirmed.code });
    case 'not_processed':
      return drop(deps, recorded, { outcome: 'provider_unavailable' });
    case 'declined':
      return drop(deps, recorded, confirmed);
    case 'action_required': {
      const waiting = recordPlanCharge(recorded, charge, { waits: true, nowUnix: unixSeconds(clock) });
      const written = await changePlanWithHint(table, orgId, recorded, waiting);
      const payment = paymentResource({ provider, account, payment: confirmed.payment });
      return written === undefined ? { outcome: 'in_progress' } : { outcome: 'action_required', payment };
    }
    case 'paid': {
      const { number } = inProgress;
      const paid = chargePaid(recorded, unixSeconds(clock), confirmed.method);
      const written = await recordOutcome(deps, recorded, paid, { number, received: 'card', withHint: true });
      return written === undefined ? { outcome: 'in_progress' } : { outcome: 'paid', plan: written };
    }
  }
}

/** Ends an attempt that has definitely not been paid. The instalment is as it was. */
async function drop(deps: ChargeDeps, plan: PlanRecord, result: PayResult): Promise<PayResult> {
  const dropped = await savePlan(deps.table, deps.orgId, plan, dropCharge(plan));
  return dropped === undefined ? { outcome: 'in_progress' } : result;
}

const inAnotherWay: Tender = { kind: 'other', reference: null, station: null, operator: null };

/** Records an instalment that was paid to the organisation in another way. */
export async function recordPaidElsewhere(
  deps: ChargeDeps,
  { planId, number, tender = inAnotherWay }: Pick<PayCommand, 'planId' | 'number'> & { readonly tender?: Tender },
): Promise<PayResult> {
  const { table, orgId, clock } = deps;
  const plan = await readPlan(table, orgId, planId);
  if (plan === undefined) return { outcome: 'missing' };
  if (!isSettled(plan)) return { outcome: 'in_progress' };
  const chosen = chooseInstalment(plan, number);
  if ('outcome' in chosen) return chosen;
  const paid = paidElsewhere(plan, chosen.number, unixSeconds(clock));
  const outcome = { number: chosen.number, received: tender, withHint: true } as const;
  const written = await recordOutcome(deps, plan, paid, outcome);
  return written === undefined ? { outcome: 'in_progress' } : { outcome: 'paid', plan: written };
}
