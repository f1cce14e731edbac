import { cardOfPlan } from '../../../shared/charges/saved-card.ts';
import { planOfMember } from '../../../shared/http/handlers/from-path/plan-of-member.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { paymentPlanResource } from '../../../shared/mappers/payment-plan.ts';
import { retrievePaymentPlan } from '../../../shared/operations/members/retrieve-payment-plan.ts';
import { livePayments } from '../../../shared/payments/live.ts';

export const handle: Handle<typeof retrievePaymentPlan> = async ({ params }, deps) => {
  const { plan, member } = await planOfMember(deps, params);
  const payment_method = await cardOfPlan(livePayments(deps.table), plan, member);
  return { ...paymentPlanResource(plan), payment_method };
};

export const handler = pipeline(retrievePaymentPlan, handle);
