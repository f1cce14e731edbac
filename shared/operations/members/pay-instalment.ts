import * as v from 'valibot';
import { chargesAccess } from '../../charges/access.ts';
import { authAccess } from '../../data/auth/access.ts';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { ReturnUrl } from '../baskets/payment-fields.ts';
import { handlingEntries } from '../baskets/tender-fields.ts';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { Payment } from '../schemas/payment.ts';
import { PaymentPlan } from '../schemas/payment-plan.ts';
import { text } from '../schemas/text.ts';
import { memberParams, memberPlanAccess, ownerOnPage, paymentPlanPath } from './payment-plan-path.ts';

export const payInstalment = defineOperation({
  id: 'pay-instalment',
  resource: 'members',
  summary: 'Pay an instalment of a membership',
  description: `Pays the oldest instalment that is due: one that failed, that needs the member (\`action_required\`), or that the service has not charged yet; if
none is due, the next. With \`number\` it pays that instalment; if it is paid already, nothing is charged and the plan is returned, so the request is safe to repeat.
Without \`number\`, a request that is sent again within a day because of 503 \`payment_unknown\` or 402 \`payment_action_required\` says once that the payment was found
and charges nothing; any other repetition pays the instalment after it. With an \`Idempotency-Key\`, the response of a paid instalment is repeated.

With \`payment_method\` the instalment is charged at once. 402 \`payment_action_required\` says what the member has to do; send the same request
again afterwards. Without it, \`payment\` of the response is for the provider's component or page, as that of prepare-payment: let the member pay,
and send the same request again. A member who pays and does not come back is found within 15 minutes. With \`save\` the card replaces the
saved one: the later instalments are charged to it, and those that failed or needed the member are charged again. Otherwise the saved card stays.

\`paid_elsewhere\` records that the organisation has received the money in another way. It needs an API key. \`kind\`, \`station\`, \`operator\` and \`reference\` say how, where and by whom, as a tender of the counter does.

With a storefront token, the token of the fan who owns the membership is needed in \`X-SSO-Token\`.`,
  method: 'POST',
  paths: [`${paymentPlanPath}/payments`],
  auth: { kind: 'metered', scope: 'members:write', ...ownerOnPage },
  input: {
    params: memberParams,
    body: v.strictObject({
      number: v.optional(
        field(
          v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
          'The number of the instalment, any that is not paid. Without it, the oldest that is due, else the next.',
        ),
        null,
      ),
      payment_method: v.optional(
        field(
          v.nullable(text(255)),
          'The payment method reference from the payment provider. Leave it out if the member pays on your page.',
        ),
        null,
      ),
      save: v.optional(
        field(v.boolean(), 'Whether the card that pays replaces the saved one, for the later instalments.'),
        false,
      ),
      paid_elsewhere: v.optional(
        field(v.boolean(), 'Whether the organisation has received the money in another way. Only with an API key.'),
        false,
      ),
      kind: v.optional(
        field(
          v.nullable(v.picklist(receivedKinds)),
          'Of paid_elsewhere: how you have received it. Without it, `other`.',
        ),
        null,
      ),
      ...handlingEntries,
      return_url: ReturnUrl,
    }),
  },
  output: {
    schema: resource('InstalmentPayment', 'The answer of pay-instalment.', {
      payment: field(v.nullable(Payment), 'The payment that the member has to make; null if the instalment is paid.'),
      payment_plan: PaymentPlan,
    }),
    isStored: false,
    problems: [
      'parameter_conflict',
      'instalment_not_due',
      'instalment_cancelled',
      'payment_in_progress',
      'card_declined',
      'payment_action_required',
      'payment_account_missing',
      'payment_refused',
      'payment_unknown',
      'resource_missing',
    ],
  },
  effects: {
    access: [...memberPlanAccess, chargesAccess.payInstalment, authAccess.readAllowedOrigins],
    emits: ['instalment.paid', 'member.updated'],
    usesPayments: true,
    cannotBeUndone: true,
  },
  // As a checkout may take. Members pay one instalment a month.
  runtime: { timeoutSeconds: 27, concurrency: 20, waitsForProvider: true },
});
