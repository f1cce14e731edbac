import { planOfMember } from '../../../shared/http/handlers/from-path/plan-of-member.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { paymentPlanResource } from '../../../shared/mappers/payment-plan.ts';
import { retrievePaymentPlan } from '../../../shared/operations/members/retrieve-payment-plan.ts';

export const handle: Handle<typeof retrievePaymentPlan> = async ({ params }, deps) =>
  paymentPlanResource((await planOfMember(deps, params)).plan);

export const handler = pipeline(retrievePaymentPlan, handle);
