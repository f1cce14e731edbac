import { createMember as create } from '../../../shared/data/members/create.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { isFutureDay } from '../../../shared/domain/time/calendar-day.ts';
import { bornInTheFuture } from '../../../shared/http/handlers/input/born-in-the-future.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem, referenceMissing } from '../../../shared/http/problem.ts';
import { memberCreated } from '../../../shared/mappers/member-events.ts';
import { createdMember, memberInput } from '../../../shared/mappers/member-writes.ts';
import { createMember } from '../../../shared/operations/members/create-member.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createMember> = async ({ body }, { caller, table, clock, receipt, requestId }) => {
  const { orgId } = caller;
  const userId = parseId(String(body.user_id));
  if (userId === undefined) throw referenceMissing('customer', 'user_id');
  const nowUnix = unixSeconds(clock);
  if (body.date_of_birth !== null && isFutureDay(body.date_of_birth, nowUnix)) throw bornInTheFuture('date_of_birth');
  const created = await create(table, { orgId, nowUnix, input: memberInput(body, userId) }, ({ after }) => [
    ...outboxItems(table, orgId, memberCreated(after), { nowMs: clock.nowMs(), requestId }),
    ...receipt(createdMember(after)),
  ]);
  switch (created.outcome) {
    case 'customer_missing':
      throw referenceMissing('customer', 'user_id');
    case 'type_missing':
      throw referenceMissing('membership type', 'membership_type_id');
    case 'type_inactive':
      throw typeInactive();
    case 'created':
      return createdMember(created.member);
  }
};

function typeInactive() {
  const message =
    'The membership type is inactive and accepts no new members. Change the parameter membership_type_id.';
  return problem('parameter_invalid', message, { param: 'membership_type_id' });
}

export const handler = pipeline(createMember, handle);
