import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { maxBasketPersons } from '../../domain/baskets/basket.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { withdrawingAccess } from '../../sales/withdrawals/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { orderPath } from '../orders/order-path.ts';
import { field, Id } from '../schemas/fields.ts';
import { emailText } from '../schemas/text.ts';
import { RequestedWithdrawal } from '../schemas/withdrawal.ts';
import { receivedEvents, retrieveLink } from './withdrawal-operation.ts';

export const requestWithdrawal = defineOperation({
  id: 'request-withdrawal',
  resource: 'withdrawals',
  summary: 'Withdraw from a purchase',
  description: `Withdraws from memberships of an order that were sold with \`withdrawal_days\`. With an API key, or the token of the fan who bought them in
\`X-SSO-Token\`, it is \`received\` at once. In time and unused (nobody has entered an event or bought a price for members with it), it is \`accepted\` by itself:
everything that was paid is returned, open instalments are not owed any more, and access ends at once, as with \`refund\` \`all\` of cancel-member. Otherwise it is kept as
\`received\` for decide-withdrawal. The period is that of the sale; an automatic renewal for twelve months or more opens it again.

Everybody can read a storefront token and type an address, so with such a token alone the request takes \`email\`, and the response is the same
whether order and address fit or not. If they do, the withdrawal is \`unconfirmed\` and \`order.withdrawal_requested\` asks your server, once a day for an address, to send the link
of confirm-withdrawal to it. Repeating the request within a day changes nothing. Nothing is lost while it waits: \`received_at\` is the first request, and staff see it in list-withdrawals.

A membership has one open withdrawal: another request is 409 \`withdrawal_open\`.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/withdrawals'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'optional',
    storefront: { sees: 'an unconfirmed withdrawal, or that of the signed-in buyer' },
  },
  input: {
    params: orderPath,
    body: v.strictObject({
      membership_member_ids: v.optional(
        field(
          v.nullable(v.pipe(v.array(Id), v.minLength(1), v.maxLength(maxBasketPersons))),
          'The members whose memberships it is about; without it, all that can be withdrawn from. People who bought one membership together withdraw together.',
        ),
        null,
      ),
      email: v.optional(
        field(
          emailText(memberLimits.emailAddress),
          'The email address of the order. Required with a storefront token alone, and not read otherwise.',
        ),
      ),
    }),
  },
  output: {
    status: 202,
    schema: RequestedWithdrawal,
    problems: ['parameter_missing', 'resource_missing', 'withdrawal_not_offered', 'withdrawal_open'],
    links: [retrieveLink],
  },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      withdrawingAccess.askToWithdraw,
      withdrawingAccess.receiveWithdrawal,
    ],
    emits: ['order.withdrawal_requested', ...receivedEvents],
    cannotBeUndone: true,
  },
});
