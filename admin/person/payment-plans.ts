import { erasePlan, eraseSavedCustomers } from '../../shared/data/admin/erase-plan.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import { ordersOfUser, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readConsent, readPlan } from '../../shared/data/plans/plans.ts';
import { paymentPlanResource } from '../../shared/mappers/payment-plan.ts';
import type { Person, PersonSection } from './section.ts';

/** The plans by which the person pays for memberships, what the person agreed to, and the saved payment methods. */
export const paymentPlansSection: PersonSection = {
  name: 'payment_plans',
  async collect(person) {
    const { table, orgId } = person;
    const documents = (await planIds(person)).map(async (planId) => {
      const plan = await readPlan(table, orgId, planId);
      if (plan === undefined) return [];
      const consent = await readConsent(table, orgId, plan.orderId);
      const agreed = consent && { text: consent.text, given: consent.givenUnix };
      return [{ ...paymentPlanResource(plan), payment_method: plan.paymentMethod, consent: agreed ?? null }];
    });
    return (await Promise.all(documents)).flat();
  },
  async erase(person) {
    const { table, orgId, customer } = person;
    let erased = 0;
    for (const planId of await planIds(person)) {
      if (await erasePlan(table, orgId, planId)) erased += 1;
    }
    return erased + (await eraseSavedCustomers(table, orgId, customer.userId));
  },
};

/** Those of all terms: a member names only its last one. People of one purchase share a plan. */
async function planIds({ table, orgId, customer: { userId } }: Person): Promise<readonly number[]> {
  const [members, orders] = await Promise.all([
    membersOfCustomer(table, orgId, userId),
    ordersOfUser(table, orgId, userId, 'all'),
  ]);
  const placed = await Promise.all(orders.map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)));
  const sold = placed.flatMap((order) => order?.memberships ?? []);
  return [...new Set([...members, ...sold].flatMap(({ planId }) => planId ?? []))];
}
