import { readOrganisation } from '../data/organisations/organisation.ts';
import { planHintPuts, planPut, readPlan } from '../data/plans/plans.ts';
import { readSavedCustomer, savedCustomerPut } from '../data/plans/saved-customers.ts';
import { renewalHintPut, renewalPut, saveRenewal } from '../data/renewals/renewals.ts';
import { retryRaces } from '../data/table/retry.ts';
import { type TransactItem, transact } from '../data/table/transact.ts';
import { setupKey } from '../domain/payments/charge-key.ts';
import type { DeclineReason } from '../domain/payments/decline.ts';
import { replaceMethod } from '../domain/plans/charge.ts';
import { outstandingMinor, type PlanRecord } from '../domain/plans/plan.ts';
import { type MethodSetup, type RenewalRecord, type SavedMethod, saveMethod } from '../domain/renewals/renewal.ts';
import { setupResource } from '../mappers/payment.ts';
import { callProvider } from '../payments/payments.ts';
import type { MethodUnknown, SetupState } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';
import { type MemberToChange, type NotOpened, type OpenedRenewal, openRenewal } from './open-renewal.ts';
import { type Payee, payeeOf } from './prepare-charge.ts';

export interface MethodCommand extends MemberToChange {
  /** Null: the member chooses it on the page of the organisation. */
  readonly paymentMethod: string | null;
  readonly returnUrl: string | null;
}

export type MethodResult =
  | { readonly outcome: 'saved'; readonly renewal: RenewalRecord }
  /** The member has to act. */
  | {
      readonly outcome: 'waiting';
      readonly renewal: RenewalRecord;
      readonly setup: ReturnType<typeof setupResource>;
    }
  | MethodNotSaved;

/** Why a method is not saved. */
export type MethodNotSaved =
  | NotOpened
  | ({ readonly outcome: 'declined' } & DeclineReason)
  | { readonly outcome: 'refused'; readonly code: string }
  | MethodUnknown
  | { readonly outcome: 'account_missing' | 'provider_unavailable' | 'in_progress' };

/**
 * Saves another payment method for the later charges of a membership. Nothing is charged here; what was declined is tried again
 * with it by the worker. A setup that waits for the member is asked for when the same request comes again.
 */
export async function setPaymentMethod(deps: ChargeDeps, command: MethodCommand): Promise<MethodResult> {
  const { table, orgId, payments } = deps;
  const [provider, organisation] = await Promise.all([payments.current(), readOrganisation(table, orgId)]);
  const payee = payeeOf(provider, organisation);
  if (provider.needsAccount && payee.account === null) return { outcome: 'account_missing' };
  const opened = await openRenewal(deps, command);
  if (opened.outcome !== 'opened') return opened;
  const { saved, setup } = opened.renewal;
  const isSame = (one: MethodSetup | SavedMethod): boolean =>
    isAt(one, payee) && one.paymentMethod === command.paymentMethod;
  // A repeat of a request that named the method.
  if (saved !== null && isSame(saved)) return save(deps, opened, savedBy(deps, saved, saved.paymentMethod));
  const waiting = setup !== null && isSame(setup) ? await verify(deps, opened, payee, setup) : undefined;
  return waiting ?? setUpNew(deps, opened, payee, command);
}

const isAt = (one: Pick<SavedMethod, 'provider' | 'account'>, { provider, account }: Payee): boolean =>
  one.provider === provider.name && one.account === account;

/** Asks for a setup that waits for the member. Undefined if it has failed. */
async function verify(
  deps: ChargeDeps,
  opened: OpenedRenewal,
  payee: Payee,
  waiting: MethodSetup,
): Promise<MethodResult | undefined> {
  const { orgId, payments } = deps;
  const { account } = payee;
  const { setupId } = waiting;
  const setup = await callProvider(payee.provider, payments.timeoutMs, (api, signal) =>
    api.retrieveSetup({ orgId, account, setupId }, signal),
  );
  if (setup === 'unknown') return { outcome: 'provider_unavailable' };
  const { status, method } = setup;
  if (status === 'succeeded' && method !== null) return save(deps, opened, savedBy(deps, waiting, method));
  // On a page the member tries another card. One that the request named is set up again.
  const isOver = status === 'failed' || (status === 'requires_payment_method' && waiting.paymentMethod !== null);
  return isOver ? undefined : shown(opened.renewal, payee, setup);
}

function savedBy(
  { clock }: ChargeDeps,
  { provider, account, customer }: Pick<MethodSetup, 'provider' | 'account' | 'customer'>,
  paymentMethod: string,
): SavedMethod {
  return { provider, account, customer, paymentMethod, savedUnix: unixSeconds(clock) };
}

function shown(renewal: RenewalRecord, { provider, account }: Payee, setup: SetupState): MethodResult {
  return { outcome: 'waiting', renewal, setup: setupResource({ provider, account, setup }) };
}

async function setUpNew(
  deps: ChargeDeps,
  opened: OpenedRenewal,
  payee: Payee,
  { paymentMethod, returnUrl }: MethodCommand,
): Promise<MethodResult> {
  const { table, orgId, payments } = deps;
  const { account } = payee;
  // The number is written first: two requests never share a key of the provider.
  const numbered = { ...opened.renewal, setups: opened.renewal.setups + 1, setup: null };
  const begun = await saveRenewal(table, orgId, opened.renewal, numbered);
  if (begun === undefined) return { outcome: 'in_progress' };
  const customer = await customerOf(deps, begun, payee);
  if (customer === 'unknown') return { outcome: 'provider_unavailable' };
  const wanted = { orgId, account, key: setupKey(begun), customer, paymentMethod, returnUrl };
  const answer = await callProvider(payee.provider, payments.timeoutMs, (api, signal) => api.setUp(wanted, signal));
  if (answer === 'unknown') return { outcome: 'provider_unavailable' };
  if (answer.outcome !== 'set_up') return answer;
  const { setupId, status, method } = answer.setup;
  const place = { provider: payee.provider.name, account, customer };
  if (status === 'succeeded' && method !== null) {
    return save(deps, { ...opened, renewal: begun }, savedBy(deps, place, method));
  }
  // The secret is shown after this is written, so the next request finds what the member has done with it.
  const waiting = await saveRenewal(table, orgId, begun, { ...begun, setup: { ...place, setupId, paymentMethod } });
  return waiting === undefined ? { outcome: 'in_progress' } : shown(waiting, payee, answer.setup);
}

/** The customer at the provider who has the methods of this owner on this account, or a new one. */
async function customerOf(
  { table, orgId, payments }: ChargeDeps,
  renewal: RenewalRecord,
  { provider, account }: Payee,
): Promise<string | 'unknown'> {
  const known = await readSavedCustomer(table, orgId, { userId: renewal.userId, account });
  if (known?.provider === provider.name) return known.customer;
  const created = { orgId, account, key: `${setupKey(renewal)}-customer` };
  return callProvider(provider, payments.timeoutMs, (api, signal) => api.createCustomer(created, signal));
}

/** Writes the method to the record, and to the plan if instalments are outstanding, with the hints that let the worker try again. */
async function save(deps: ChargeDeps, { renewal, members }: OpenedRenewal, saved: SavedMethod): Promise<MethodResult> {
  const { table, orgId } = deps;
  const planIds = [...new Set(members.flatMap(({ planId }) => planId ?? []))];
  const { after, item } = renewalPut(table, orgId, renewal, saveMethod(renewal, saved));
  const { userId } = renewal;
  const { provider, account, customer } = saved;
  const written = await retryRaces('payment plan', async (): Promise<'written' | 'raced' | undefined> => {
    const plans = await Promise.all(planIds.map((planId) => readPlan(table, orgId, planId)));
    const refusals = await transact(table, [
      item,
      // What another person agreed to stays with the card of that person.
      ...plans.flatMap((plan) => (plan?.userId === userId ? planWrites(deps, plan, saved) : [])),
      savedCustomerPut(table, orgId, { userId, provider, account, customer }),
      ...(after.round?.status === 'failed' ? [renewalHintPut(table, orgId, after.renewalId, saved.savedUnix)] : []),
    ]);
    if (refusals.length === 0) return 'written';
    return refusals.some(({ label }) => label === 'renewal') ? 'raced' : undefined;
  });
  return written === 'written' ? { outcome: 'saved', renewal: after } : { outcome: 'in_progress' };
}

function planWrites({ table, orgId }: ChargeDeps, before: PlanRecord, saved: SavedMethod): readonly TransactItem[] {
  if (outstandingMinor(before) === 0) return [];
  const changed = { ...replaceMethod(before, saved), version: before.version + 1 };
  return [planPut(table, orgId, before, changed), ...planHintPuts(table, orgId, changed)];
}
