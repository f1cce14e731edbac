import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { cancelRefunds, cancelTimes } from '../../domain/members/cancellation.ts';
import { salesAccess } from '../../sales/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { MemberCancellation } from '../schemas/member-cancellation.ts';
import { memberParams, ownerOnPage } from './payment-plan-path.ts';

export const cancelMember = defineOperation({
  id: 'cancel-member',
  resource: 'members',
  summary: 'Cancel a membership',
  description: `Cancels the membership of the member and of everybody who was bought with it.

With \`when\` \`end\` the membership stays as it is until it expires, and is not renewed automatically. Instalments are charged as agreed. A renewal
that is bought later revives it.

With \`when\` \`now\` the members are cancelled (status 3) at once, and gates do not admit them any more. What is not paid of it is not
owed any more: open instalments are cancelled. \`refund\` says what is returned: nothing, what was paid for the time that is left (\`unused\`), or all
that was paid. The refund is one of the order (list-order-refunds), and \`order.refunded\` follows; what is owed is written off by a refund too, even if
it returns nothing. If the payment provider refuses the refund, \`order.refund_failed\` follows, and members and instalments are as they were before the
request. What a tender has paid at the counter is a \`pending\` refund until record-refund-return says who handed it over. Of a membership that
replaced another one, only what was paid with the last order can be returned. If the members have
bought a later term, the response is 409 \`later_term_exists\`: refund that one first.

With a storefront token, the token of the fan who owns the membership is needed in \`X-SSO-Token\`. A fan can only cancel for the
\`end\`, without a refund.`,
  method: 'POST',
  paths: ['/v1/members/{membership_member_id}/cancel'],
  auth: { kind: 'metered', scope: 'members:write', ...ownerOnPage },
  input: {
    params: memberParams,
    body: v.strictObject({
      when: field(v.picklist(cancelTimes), 'When the membership ends: `now`, or at the `end` of its last term.'),
      refund: v.optional(
        field(
          v.picklist(cancelRefunds),
          'What is returned: `none`, what was paid for the rest of the term (`unused`), or `all`. Only with `now`.',
        ),
        'none',
      ),
    }),
  },
  output: {
    schema: MemberCancellation,
    problems: [
      'parameter_conflict',
      'member_cancelled',
      'not_bought_here',
      'later_term_exists',
      'ticket_already_refunded',
      'payment_in_progress',
    ],
  },
  effects: {
    access: [membersAccess.readMember, ssoAccess.findSignedInUser, salesAccess.cancelMembership],
    emits: ['membership.cancelled', 'member.updated', 'order.cancelled', 'order.refunded', 'order.refund_failed'],
    cannotBeUndone: true,
  },
});
