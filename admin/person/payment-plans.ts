import { erasePlan } from '../../shared/data/admin/erase-plan.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import { ordersOfUser, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readConsent, readPlan } from '../../shared/data/plans/plans.ts';
import type { PlanRecord } from '../../shared/domain/plans/plan.ts';
import { paymentPlanResource } from '../../shared/mappers/payment-plan.ts';
import type { Person, PersonSection } from './section.ts';

/** The plans by which the person pays for memberships, what the person agreed to, and the saved payment methods. Those of a membership's former owner are not the person's. */
export const paymentPlansSection: PersonSection = {
  name: 'payment_plans',
  async collect(person) {
    const { table, orgId } = person;
    const documents = (await plansOf(person)).map(async (plan) => {
      const consent = await readConsent(table, orgId, plan.orderId);
      const agreed = consent && { text: consent.text, given: consent.givenUnix };
      const { customer, paymentMethod: payment_method } = plan;
      return { ...paymentPlanResource(plan), customer, payment_method, consent: agreed ?? null };
    });
    return Promise.all(documents);
  },
  async erase(person) {
    const { table, orgId } = person;
    let erased = 0;
    for (const { planId } of await plansOf(person)) {
      if (await erasePlan(table, orgId, planId)) erased += 1;
    }
    return erased;
  },
};

/** Those of all terms: a member names only its last one. People of one purchase share a plan. */
async function plansOf({ table, orgId, customer: { userId } }: Person): Promise<readonly PlanRecord[]> {
  const [members, orders] = await Promise.all([
    membersOfCustomer(table, orgId, userId),
    ordersOfUser(table, orgId, userId, 'all'),
  ]);
  const placed = await Promise.all(orders.map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)));
  const sold = placed.flatMap((order) => order?.memberships ?? []);
  const planIds = new Set([...members, ...sold].flatMap(({ planId }) => planId ?? []));
  const plans = await Promise.all([...planIds].map((planId) => readPlan(table, orgId, planId)));
  return plans.filter((plan) => plan !== undefined).filter((plan) => plan.userId === userId);
}
