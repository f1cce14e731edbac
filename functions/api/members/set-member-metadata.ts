import { changeMember } from '../../../shared/data/members/change.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { mergeMetadata } from '../../../shared/domain/metadata.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { setMemberMetadata } from '../../../shared/operations/members/set-member-metadata.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof setMemberMetadata> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId } = deps;
  const { orgId } = caller;
  const memberId = parseId(params.membership_member_id);
  if (memberId === undefined) throw notFound('member');
  const changed = await changeMember(
    table,
    {
      orgId,
      memberId,
      nowUnix: unixSeconds(clock),
      change: ({ metadata }) => ({ metadata: mergeMetadata(metadata, body.metadata) }),
    },
    ({ after }) => outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  if (changed.outcome === 'missing') throw notFound('member');
  return memberResource(changed.member);
};

export const handler = pipeline(setMemberMetadata, handle);
