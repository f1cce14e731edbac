import { changeMembers } from '../../../shared/data/members/change-many.ts';
import { codesByMember, fulfil } from '../../../shared/domain/members/fulfilment.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { fulfilmentRequests } from '../../../shared/mappers/member-writes.ts';
import { fulfilMembers } from '../../../shared/operations/members/fulfil-members.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof fulfilMembers> = async ({ body }, { caller, table, clock, requestId }) => {
  const { orgId } = caller;
  const codes = codesByMember(fulfilmentRequests(body));
  const memberIds = [...codes.keys()];
  const nowUnix = unixSeconds(clock);
  const found = await changeMembers(
    table,
    {
      orgId,
      memberIds,
      nowUnix,
      change: (member) => fulfil(member, codes.get(member.memberId), nowUnix),
    },
    ({ after }) => outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  return { members_fulfilled: found.size, not_found: memberIds.filter((memberId) => !found.has(memberId)) };
};

export const handler = pipeline(fulfilMembers, handle);
