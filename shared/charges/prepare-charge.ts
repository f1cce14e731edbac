import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import { chargeOwnerOfPlan, instalmentChargeKey } from '../domain/payments/charge-key.ts';
import type { PlanCharge, PlanRecord } from '../domain/plans/plan.ts';
import { callProvider } from '../payments/payments.ts';
import type { Charge, PaymentProvider, Prepared } from '../payments/provider.ts';
import type { ChargeDeps } from './deps.ts';
import { instalmentOf } from './record-plan.ts';

/** Where an instalment is charged now: the provider, and the account of the organisation there. */
export interface Payee {
  readonly provider: PaymentProvider;
  readonly account: string | null;
  readonly statementDescriptor: string | null;
}

export function payeeOf(provider: PaymentProvider, organisation: OrganisationRecord | undefined): Payee {
  return {
    provider,
    account: provider.needsAccount ? (organisation?.paymentAccountId ?? null) : null,
    statementDescriptor: organisation?.statementDescriptor ?? null,
  };
}

/** The decline of a method that was saved for another account: its owner has to give another one. */
export const accountChanged = 'account_changed';

/** Why a saved method cannot be charged here; undefined if it can. Only another account is for its owner to act on. */
export function savedElsewhere(
  saved: { readonly provider: string; readonly account: string | null },
  { provider, account }: Payee,
): typeof accountChanged | 'provider_changed' | 'account_missing' | undefined {
  if (saved.provider !== provider.name) return 'provider_changed';
  if (provider.needsAccount && account === null) return 'account_missing';
  return saved.account === account ? undefined : accountChanged;
}

/** Preparing moves no money, so its timeout can be shorter. */
const prepareShare = 0.5;

/** The attempt to charge an instalment that a plan has recorded. */
interface Attempt {
  readonly plan: PlanRecord;
  readonly inProgress: PlanCharge;
}

/** Creates the charge of an attempt at the provider. No money moves, and the same attempt has the same charge. */
export function prepareCharge(
  { orgId, payments }: ChargeDeps,
  { plan, inProgress }: Attempt,
  { provider, account, statementDescriptor }: Payee,
  how: Pick<Charge, 'customer' | 'paymentMethod' | 'returnUrl' | 'savesMethod'>,
): Promise<Prepared | 'unknown'> {
  const charge: Charge = {
    orgId,
    account,
    ...how,
    key: instalmentChargeKey(plan, inProgress),
    owner: chargeOwnerOfPlan(plan),
    amountMinor: instalmentOf(plan, inProgress.number).amountMinor,
    currency: plan.currency,
    presentation: { statementDescriptor, receiptEmail: null },
  };
  return callProvider(provider, payments.timeoutMs * prepareShare, (api, signal) => api.prepare(charge, signal));
}
