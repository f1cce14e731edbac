import { createMember as create } from '../../../shared/data/members/create.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { referenceMissing } from '../../../shared/http/problem.ts';
import { memberCreated } from '../../../shared/mappers/member-events.ts';
import { createdMember, memberInput } from '../../../shared/mappers/member-writes.ts';
import { createMember } from '../../../shared/operations/members/create-member.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const createOne: Handle<typeof createMember> = async ({ body }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  const userId = parseId(String(body.user_id));
  if (userId === undefined) throw referenceMissing('customer', 'user_id');
  const created = await create(
    table,
    { orgId, nowUnix: unixSeconds(clock), input: memberInput(body, userId) },
    ({ after }) => [
      ...outboxItems(table, orgId, memberCreated(after), clock.nowMs()),
      ...receipt(createdMember(after)),
    ],
  );
  switch (created.outcome) {
    case 'customer_missing':
      throw referenceMissing('customer', 'user_id');
    case 'type_missing':
      throw referenceMissing('membership type', 'membership_type_id');
    case 'created':
      return createdMember(created.member);
  }
};

export const handler = pipeline(createMember, createOne);
