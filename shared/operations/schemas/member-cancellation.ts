import * as v from 'valibot';
import { cancelTimes } from '../../domain/members/cancellation.ts';
import { field, Id, resource, UnixSeconds } from './fields.ts';
import { OrderRefund } from './order-refund.ts';

export const MemberCancellation = resource('MemberCancellation', 'A membership that was cancelled.', {
  membership_member_ids: field(v.array(Id), 'The members whose membership it was: all who were bought together.'),
  when: field(v.picklist(cancelTimes), '`now`: access has ended. `end`: the membership lapses with its last term.'),
  ends_at: field(
    v.nullable(UnixSeconds),
    'When access ends or has ended, in Unix seconds; null if the membership has no end.',
  ),
  refund: field(
    v.nullable(OrderRefund),
    'The refund, which is carried out within a minute; null if nothing is returned and nothing was owed.',
  ),
});
export type MemberCancellation = v.InferOutput<typeof MemberCancellation>;
