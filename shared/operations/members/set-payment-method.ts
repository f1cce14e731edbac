import * as v from 'valibot';
import { chargesAccess } from '../../charges/access.ts';
import { authAccess } from '../../data/auth/access.ts';
import { ReturnUrl } from '../baskets/payment-fields.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource } from '../schemas/fields.ts';
import { MethodSetup, SavedCard } from '../schemas/payment.ts';
import { text } from '../schemas/text.ts';
import { memberParams, memberPlanAccess, memberProblems, ownerOnPage } from './payment-plan-path.ts';

export const setPaymentMethod = defineOperation({
  id: 'set-payment-method',
  resource: 'members',
  summary: 'Save another payment method for a membership',
  description: `Saves the card to which the later instalments and renewals of the membership are charged: of all people who were bought together. Nothing is charged
by this request. Instalments that were declined are charged again to the new card within a minute.

With \`payment_method\` the method is saved at once, unless its bank wants its owner to authenticate: then \`setup\` says how. Without it, \`setup\` is for the
provider's component or page, as the payment of prepare-payment is: let the member save the card there. In both cases send the same request again afterwards.
\`is_saved\` is true once the method is used.

With a storefront token, the token of the fan who owns the membership is needed in \`X-SSO-Token\`.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/payment_method'],
  auth: { kind: 'metered', scope: 'members:write', ...ownerOnPage },
  input: {
    params: memberParams,
    body: v.strictObject({
      payment_method: v.optional(
        field(
          v.nullable(text(255)),
          'The payment method reference from the payment provider. Leave it out if the member chooses the card on your page.',
        ),
        null,
      ),
      return_url: ReturnUrl,
    }),
  },
  output: {
    schema: resource('SavedPaymentMethod', 'The answer of set-payment-method.', {
      membership_member_ids: field(v.array(Id), 'The members whose later charges use the method.'),
      is_saved: field(v.boolean(), 'Whether the method is saved. False: the member has to act first.'),
      payment_method: field(
        v.nullable(SavedCard),
        'The saved card; null if it is not saved, or if the payment provider does not answer.',
      ),
      setup: field(v.nullable(MethodSetup), 'What the member has to do; null if the method is saved.'),
    }),
    isStored: false,
    problems: [
      ...memberProblems,
      'payment_in_progress',
      'card_declined',
      'payment_account_missing',
      'payment_refused',
      'resource_missing',
    ],
  },
  effects: {
    access: [...memberPlanAccess, chargesAccess.setPaymentMethod, authAccess.readAllowedOrigins],
    usesPayments: true,
    cannotBeUndone: false,
  },
  runtime: { timeoutSeconds: 27, concurrency: 20, waitsForProvider: true },
});
