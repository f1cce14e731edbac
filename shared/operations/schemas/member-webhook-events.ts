import * as v from 'valibot';
import { cancelTimes } from '../../domain/members/cancellation.ts';
import { field, UnixSeconds } from './fields.ts';
import { Member } from './member.ts';
import { MemberTerm } from './member-term.ts';
import { MembershipRenewal } from './membership-renewal.ts';
import { Instalment, PaymentPlanSummary } from './payment-plan.ts';
import { webhookEvent } from './webhook-envelope.ts';

/** An instalment says nothing of a person but ids. */
const instalmentData = { payment_plan: PaymentPlanSummary, instalment: Instalment };

/** The events of members, their memberships and their instalments. */
export const memberWebhookEvents = {
  'member.created': webhookEvent('member.created', 'MemberCreatedEvent', 'A member was created.', { member: Member }),
  'member.updated': webhookEvent('member.updated', 'MemberUpdatedEvent', 'A member was updated.', {
    member: Member,
    fulfilled_at: field(
      v.nullable(UnixSeconds),
      'When the member was first fulfilled, in Unix seconds; null if not fulfilled.',
    ),
  }),
  'membership.renewed': webhookEvent(
    'membership.renewed',
    'MembershipRenewedEvent',
    'A member has bought its next term. member.updated follows for the same change.',
    { member: Member, term: MemberTerm },
  ),
  'membership.renewal_due': webhookEvent(
    'membership.renewal_due',
    'MembershipRenewalDueEvent',
    'A membership renews itself, and this is said 30 and 7 days before, with date and amount; or it would, and is `not_offered`. It also says that the renewal was declined. The paid one is announced by membership.renewed.',
    { renewal: MembershipRenewal },
  ),
  'membership.lapsed': webhookEvent(
    'membership.lapsed',
    'MembershipLapsedEvent',
    'The last term of a member has ended, and no other follows. A renewal begins when it is bought, with the same number and card.',
    { member: Member, term: field(v.nullable(MemberTerm), 'The term that ended; null if it was refunded.') },
  ),
  'membership.cancelled': webhookEvent(
    'membership.cancelled',
    'MembershipCancelledEvent',
    'A membership was cancelled, at once or for its end. Each person of it has an event. member.updated follows for the same change.',
    {
      member: Member,
      term: field(v.nullable(MemberTerm), 'The last term; null if the membership was not bought here.'),
      when: field(v.picklist(cancelTimes), '`now`: access has ended. `end`: the membership lapses with its last term.'),
      ends_at: field(
        v.nullable(UnixSeconds),
        'When access ends or has ended, in Unix seconds; null if the membership has no end.',
      ),
    },
  ),
  'instalment.paid': webhookEvent(
    'instalment.paid',
    'InstalmentPaidEvent',
    'An instalment of a membership was paid. With the last one the members are paid (status 1), and member.updated follows.',
    instalmentData,
  ),
  'instalment.failed': webhookEvent(
    'instalment.failed',
    'InstalmentFailedEvent',
    'An instalment of a membership was declined. It is charged again later: 3, 7 and 12 days after it was due.',
    instalmentData,
  ),
  'instalment.action_required': webhookEvent(
    'instalment.action_required',
    'InstalmentActionRequiredEvent',
    'An instalment of a membership was declined and is not charged again. Ask the member to pay it with pay-instalment.',
    instalmentData,
  ),
};
