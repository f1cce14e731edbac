import type { SavedCard } from '../domain/payments/saved-card.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import { callProvider, type Payments } from '../payments/payments.ts';

/** A page waits for it. Without a quick answer it shows no card. */
const timeoutMs = 3_000;

interface Saved {
  readonly provider: string;
  readonly account: string | null;
  readonly paymentMethod: string | null;
}

/**
 * The card to which later charges go. The provider is asked each time: the table has its reference only, so nothing more is there to
 * erase, and an expiry that the bank has moved is the new one. Null if there is none, or if the provider does not say.
 */
export async function savedCard(payments: Payments, saved: Saved): Promise<SavedCard | null> {
  const { provider, account, paymentMethod } = saved;
  if (paymentMethod === null) return null;
  const api = await payments.byName(provider).catch(() => undefined);
  const card = await callProvider(api, timeoutMs, (one, signal) =>
    one.describeCard({ account, paymentMethod }, signal),
  );
  return card === 'unknown' ? null : card;
}

/** The card of a plan. It stays with who agreed to the plan: another owner of the membership does not see it. */
export async function cardOfPlan(
  payments: Payments,
  plan: PlanRecord,
  { userId }: { readonly userId: number | null },
): Promise<SavedCard | null> {
  return plan.userId === userId ? savedCard(payments, plan) : null;
}
