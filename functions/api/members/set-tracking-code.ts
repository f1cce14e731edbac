import { changeMember } from '../../../shared/data/members/change.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { setTrackingCode as set } from '../../../shared/domain/members/fulfilment.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { setTrackingCode } from '../../../shared/operations/members/set-tracking-code.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof setTrackingCode> = async ({ params, body }, { caller, table, clock, requestId }) => {
  const { orgId } = caller;
  const memberId = parseId(params.membership_member_id);
  if (memberId === undefined) throw notFound('member');
  const nowUnix = unixSeconds(clock);
  const changed = await changeMember(
    table,
    {
      orgId,
      memberId,
      nowUnix,
      change: (member) => set(member, body.fulfillment_tracking_code, nowUnix),
    },
    ({ after }) => outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  if (changed.outcome === 'missing') throw notFound('member');
  const { trackingCode } = changed.member;
  return { membership_member_id: String(memberId), fulfillment_tracking_code: trackingCode };
};

export const handler = pipeline(setTrackingCode, handle);
