import { payInstalment as pay, recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import type { PlanRecord } from '../../../shared/domain/plans/plan.ts';
import { checkReturnUrl } from '../../../shared/http/handlers/callers/check-return-url.ts';
import { planOfMember } from '../../../shared/http/handlers/from-path/plan-of-member.ts';
import { handledBy } from '../../../shared/http/handlers/input/counter.ts';
import { checkPaidElsewhere, instalmentProblem } from '../../../shared/http/handlers/problems/instalment-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { paymentPlanResource } from '../../../shared/mappers/payment-plan.ts';
import { payInstalment } from '../../../shared/operations/members/pay-instalment.ts';
import { livePayments } from '../../../shared/payments/live.ts';

export const handle: Handle<typeof payInstalment> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, baseUrl } = deps;
  checkPaidElsewhere(caller, body);
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const { plan, member } = await planOfMember(deps, params);
  const receipt = (paid: PlanRecord) => deps.receipt(paidResponse(paid));
  const chargeDeps = { table, orgId: caller.orgId, clock, requestId, payments: livePayments(table, baseUrl), receipt };
  const { number, payment_method: paymentMethod, save: saves } = body;
  const { userId } = member;
  const elsewhere = { kind: body.kind ?? ('other' as const), ...handledBy(body) };
  const result = body.paid_elsewhere
    ? await recordPaidElsewhere(chargeDeps, { planId: plan.planId, number, tender: elsewhere })
    : await pay(chargeDeps, { planId: plan.planId, number, paymentMethod, saves, userId, returnUrl });
  if (result.outcome !== 'paid' && result.outcome !== 'prepared') throw instalmentProblem(result);
  const response = paidResponse(result.plan);
  return result.outcome === 'prepared' ? { ...response, payment: result.payment } : response;
};

const paidResponse = (plan: PlanRecord) => ({ payment: null, payment_plan: paymentPlanResource(plan) });

export const handler = pipeline(payInstalment, handle);
