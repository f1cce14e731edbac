import { hasCode } from '../../site/browser/state/messages.ts';
import { officeCall } from './api.ts';
import type { ShownPlan } from './resources.ts';

interface Paying {
  readonly membership_member_id: number;
}

/** The plans by which these memberships are paid, each once: a family has one. */
export async function plansOf(memberships: readonly Paying[]): Promise<readonly ShownPlan[]> {
  const plans = (await Promise.all(memberships.map(planOf))).filter((plan) => plan !== undefined);
  return [...new Map(plans.map((plan) => [plan.plan_id, plan])).values()];
}

/** The plan of a member; undefined if the membership was paid at once. */
async function planOf({ membership_member_id: id }: Paying): Promise<ShownPlan | undefined> {
  try {
    return await officeCall<ShownPlan>('GET', `/v1/members/${id}/payment_plan`);
  } catch (error) {
    if (hasCode(error, 'resource_not_found')) return undefined;
    throw error;
  }
}
