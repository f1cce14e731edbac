import * as v from 'valibot';
import { chargesAccess } from '../../charges/access.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource, UnixSeconds } from '../schemas/fields.ts';
import { MembershipRenewal } from '../schemas/membership-renewal.ts';
import { text } from '../schemas/text.ts';
import { memberParams, memberPlanAccess, memberProblems, ownerOnPage } from './payment-plan-path.ts';

export const setAutoRenew = defineOperation({
  id: 'set-auto-renew',
  resource: 'members',
  summary: 'Switch auto-renewal on or off',
  description: `Decides whether the membership renews itself at the end of its term: that of all people who were bought together and belong to the same customer. Of a family with two owners,
each renews the own members, at the price of the type, with the own card. Switching it on needs the member's
consent, and the words that the member agreed to; they are kept with the time and the request. It also needs a saved payment method (set-payment-method).

The renewal is announced 30 and 7 days before it is charged (\`membership.renewal_due\`), with amount and date, and is never charged earlier or more than
announced: on the last day of the term, or seven days after it was announced if that is later. A repeated announcement moves the charge only if the amount is higher. Where
nothing can follow the membership, the response is 409 \`membership_not_renewable\`. It is paid as this term was, at once or in instalments.
\`renewal\` shows the next one as it was announced, or what it would cost now.

Switching it off needs nothing, and is possible until the renewal is charged. A refund of the last term switches it off too. With a storefront token, the token of the fan who owns the membership is
needed in \`X-SSO-Token\`.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/auto_renew'],
  auth: { kind: 'metered', scope: 'members:write', ...ownerOnPage },
  input: {
    params: memberParams,
    body: v.strictObject({
      auto_renew: field(v.boolean(), 'Whether the membership renews itself.'),
      consent: v.optional(
        field(v.boolean(), 'Whether the member agrees to the renewals. Required to switch auto-renewal on.'),
        false,
      ),
      consent_text: v.optional(
        field(
          v.nullable(text(4_000)),
          'The words that the member agreed to. Required to switch auto-renewal on. They are kept with the time and the request.',
        ),
        null,
      ),
    }),
  },
  output: {
    schema: resource('AutoRenewal', 'The answer of set-auto-renew.', {
      membership_member_ids: field(v.array(Id), 'The members it is about.'),
      auto_renew: field(v.boolean(), 'Whether the membership renews itself.'),
      consent_given: field(
        v.nullable(UnixSeconds),
        'When the member agreed, in Unix seconds; null if auto-renewal is off.',
      ),
      renewal: field(v.nullable(MembershipRenewal), 'The next renewal; null if auto-renewal is off.'),
    }),
    isStored: false,
    problems: [
      ...memberProblems,
      'consent_missing',
      'payment_method_missing',
      'payment_in_progress',
      'resource_missing',
    ],
  },
  effects: {
    access: [...memberPlanAccess, chargesAccess.setAutoRenew],
    emits: ['member.updated'],
    cannotBeUndone: false,
  },
});
