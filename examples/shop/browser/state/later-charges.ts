import type { PaymentPlan } from '../../../site/browser/resources.ts';
import { cancelledMember, type FanMembership } from '../resources.ts';

interface Charged {
  readonly membership: Pick<FanMembership, 'membership_member_status_id' | 'auto_renew' | 'expires'>;
  readonly plan: Pick<PaymentPlan, 'outstanding'> | undefined;
  /** The next term; undefined if nothing can follow. */
  readonly next: object | undefined;
}

/**
 * Why a membership has later charges: it renews itself, its term has ended before the renewal was paid, auto-renewal can be switched
 * on, or only instalments are outstanding. A declined renewal is charged again after the end of the term, so it is shown until then.
 */
export function laterCharges(
  { membership, plan, next }: Charged,
  nowMs: number,
): 'renews' | 'renewal_late' | 'can_renew' | 'instalments' | undefined {
  const { membership_member_status_id: status, auto_renew, expires } = membership;
  if (status === cancelledMember) return undefined;
  const hasEnded = expires !== null && expires * 1000 <= nowMs;
  if (auto_renew === 1) return hasEnded ? 'renewal_late' : 'renews';
  if (expires !== null && !hasEnded && next !== undefined) return 'can_renew';
  return (plan?.outstanding ?? 0) > 0 ? 'instalments' : undefined;
}
