import { eventsWithSeatTaken } from '../../../shared/data/member-seats/taken-already.ts';
import { setMemberSeat as set } from '../../../shared/data/members/set-seat.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { seatProblem } from '../../../shared/http/handlers/problems/seat-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { seatedMember } from '../../../shared/mappers/seated-member.ts';
import { setMemberSeat } from '../../../shared/operations/members/set-member-seat.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof setMemberSeat> = async ({ params, body }, { caller, table, clock, requestId }) => {
  const { orgId } = caller;
  const memberId = parseId(params.membership_member_id);
  if (memberId === undefined) throw notFound('member');
  const { seat } = body;
  const nowUnix = unixSeconds(clock);
  const saved = await set(table, orgId, { memberId, seat, nowUnix }, ({ after }) =>
    outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  switch (saved.outcome) {
    case 'missing':
      throw notFound('member');
    case 'cancelled':
      throw problem('member_cancelled', 'This member is cancelled and can have no seat. Give it to another member.');
    case 'no_map': {
      const message =
        'The membership category of this member has no seat map with seats. Set membership_seat_map_id of the category first.';
      throw problem('seat_unknown', message, { param: 'seat' });
    }
    case 'refused':
      throw seatProblem(saved.refusal, 'seat');
    case 'changed':
    case 'unchanged': {
      const { ownSeatMapId: mapId } = saved.member;
      const isSeated = seat !== null && mapId !== null;
      return seatedMember(
        saved.member,
        isSeated ? await eventsWithSeatTaken(table, orgId, { mapId, seat, nowUnix }) : [],
      );
    }
  }
};

export const handler = pipeline(setMemberSeat, handle);
