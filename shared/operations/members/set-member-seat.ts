import * as v from 'valibot';
import { memberSeatsAccess } from '../../data/member-seats/access.ts';
import { membersAccess } from '../../data/members/access.ts';
import { outboxAccess } from '../../outbox/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { SeatedMember } from '../schemas/seated-member.ts';
import { text } from '../schemas/text.ts';

export const setMemberSeat = defineOperation({
  id: 'set-member-seat',
  resource: 'members',
  summary: 'Set the seat of a member',
  description: `Gives a member a seat of their own on the seat map of their membership category (\`membership_seat_map_id\`); no other member can have it (409
\`seat_taken\`). At every event that sells the seats of this map, the seat is theirs: it is entered before the event is published, and events that are
published follow within seconds, also when the membership is paid, renewed, cancelled or expires before the start. A seat that a buyer has already
stays with the buyer: the answer names these events in \`seat_taken_at\`. Null frees the seat. Access means \`game_day_access\` of the membership type and of its category. A membership that has lapsed keeps its
seat for its renewal; one that is cancelled loses it.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/seat'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    params: v.strictObject({
      membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
    }),
    body: v.strictObject({
      seat: field(v.nullable(text(100)), 'The seat, as `section/row/seat`; null frees the seat of the member.'),
    }),
  },
  output: { schema: SeatedMember, problems: ['seat_unknown', 'seat_taken', 'member_cancelled'] },
  effects: {
    access: [membersAccess.setMemberSeat, memberSeatsAccess.eventsWithSeatTaken, outboxAccess.outboxItems],
    emits: ['member.updated'],
    cannotBeUndone: false,
  },
});
