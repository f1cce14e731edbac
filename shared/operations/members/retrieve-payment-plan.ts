import { defineOperation } from '../operation.ts';
import { MemberPaymentPlan } from '../schemas/payment-plan.ts';
import { memberParams, memberPlanAccess, ownerOnPage, paymentPlanPath } from './payment-plan-path.ts';

export const retrievePaymentPlan = defineOperation({
  id: 'retrieve-payment-plan',
  resource: 'members',
  summary: 'Retrieve the payment plan of a member',
  description: `Returns the plan by which the membership is paid in instalments: what is paid, what is due when, and what failed. A membership that was paid at
once has none (404). \`payment_method\` is the card to which the next one is charged. With a storefront token, the token of the fan who owns the membership is needed in \`X-SSO-Token\`.`,
  method: 'GET',
  paths: [paymentPlanPath],
  auth: { kind: 'metered', scope: 'read', ...ownerOnPage },
  input: { params: memberParams },
  output: { schema: MemberPaymentPlan },
  effects: { access: memberPlanAccess, usesPayments: true },
  // It asks the payment provider about the saved card.
  runtime: { timeoutSeconds: 27, concurrency: 20, waitsForProvider: true },
});
