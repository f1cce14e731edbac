import type { Command, OptionValues } from '@commander-js/extra-typings';
import { memberByNumber } from '../../shared/data/admin/save-member.ts';
import { changeMember, type MemberFields } from '../../shared/data/members/change.ts';
import { readMember } from '../../shared/data/members/read.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { fulfil } from '../../shared/domain/members/fulfilment.ts';
import { memberLimits } from '../../shared/domain/members/limits.ts';
import {
  isAllowedTransition,
  isCancelledMember,
  type MemberStatusId,
  memberStatusIds,
  nextStatuses,
  statusName,
} from '../../shared/domain/members/status.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, line, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { refusal } from '../failure.ts';
import { memberDocument, memberSheet } from '../output/member.ts';

export function addMemberCommands(program: Program, { run }: Cli): void {
  const group = program.command('member').description('Show a member, change its status, record its fulfilment.');

  withMember(group.command('show').description('Show a member, with the time of its fulfilment.'))
    .option('--number', numberHelp)
    .addHelpText('after', example('member show org_harbourfc 0001001 --number'))
    .action((orgId, member, { number = false }) =>
      run(async (context) => {
        const found = await find({ orgId, member, number }, context);
        context.show(memberDocument(found), memberSheet(found));
      }),
    );

  withMember(
    withYes(group.command('set-status')).description(
      'Change the status of a member. Sends member.updated. Cancelling is final and asks for --yes.',
    ),
  )
    .argument('<status>', `The new status: ${memberStatus.allowed}.`, as(memberStatus))
    .option('--number', numberHelp)
    .addHelpText('after', example('member set-status org_harbourfc 0001001 paid --number'))
    .action((orgId, member, statusId, { number = false, yes }) =>
      run(async (context) => {
        const request = { orgId, member, number };
        if (isCancelledMember({ statusId })) {
          const { memberId } = await find(request, context);
          confirm(yes, `Member ${memberId} of ${orgId} would be cancelled, which is final, and would lose the seat.`);
        }
        await change(request, context, (current) =>
          isAllowedTransition(current.statusId, statusId) ? { statusId } : 'refused',
        );
      }),
    );

  withMember(
    group.command('fulfil').description('Record that the card and other goods were sent. Sends member.updated.'),
  )
    .option('--number', numberHelp)
    .option('--tracking-code <code>', 'The postage tracking code.', as(line(memberLimits.short)))
    .addHelpText('after', example('member fulfil org_harbourfc 0001001 --number --tracking-code JJD1234567'))
    .action((orgId, member, { number = false, trackingCode }) =>
      run((context) =>
        change({ orgId, member, number }, context, (current, nowUnix) => fulfil(current, trackingCode, nowUnix)),
      ),
    );
}

const numberHelp = '<member> is the member number, as printed on the card.';

function withMember<Opts extends OptionValues, Globals extends OptionValues>(command: Command<[], Opts, Globals>) {
  return command
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument(
      '<member>',
      'The membership_member_id; with --number, the member number.',
      as(line(memberLimits.memberNumber)),
    );
}

/** A member status by its name or its number. */
const memberStatus: ArgumentType<MemberStatusId> = {
  allowed: memberStatusIds.map((id) => `${id} or ${statusName(id)}`).join(', '),
  parse: (text) => memberStatusIds.find((id) => text === String(id) || text === statusName(id)),
};

interface MemberRequest {
  readonly orgId: string;
  readonly member: string;
  /** Whether `member` is the member number. */
  readonly number: boolean;
}

async function find({ orgId, member, number }: MemberRequest, { table }: Context): Promise<MemberRecord> {
  const memberId = number ? undefined : parseId(member);
  const found = number
    ? await memberByNumber(table, orgId, member)
    : memberId && (await readMember(table, orgId, memberId));
  if (!found) {
    throw refusal('member_missing', `${orgId} has no member with the ${number ? 'number' : 'id'} ${member}.`);
  }
  return found;
}

type Rule = (current: MemberRecord, nowUnix: number) => Partial<MemberFields> | 'refused';

/** A change by an operator sends the same event as a change by a client. */
async function change(request: MemberRequest, context: Context, rule: Rule): Promise<void> {
  const { table, clock, requestId } = context;
  const { orgId } = request;
  const { memberId } = await find(request, context);
  const nowUnix = unixSeconds(clock);
  const changed = await changeMember(
    table,
    { orgId, memberId, nowUnix, change: (current) => rule(current, nowUnix) },
    ({ after }) => outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  if (changed.outcome === 'missing') throw refusal('member_missing', `${orgId} no longer has a member ${memberId}.`);
  const { outcome, member } = changed;
  if (outcome === 'refused') throw statusRefused(member);
  const isChanged = outcome === 'changed';
  const sentence = isChanged ? `Changed. member.updated was sent (request ${requestId}).` : 'Nothing changed.';
  context.show(
    { ...memberDocument(member), outcome, changed: isChanged, ...(isChanged && { request_id: requestId }) },
    `${memberSheet(member)}\n\n${sentence}`,
  );
}

function statusRefused({ statusId }: MemberRecord): Error {
  const next = nextStatuses(statusId).map(statusName);
  const advice = next.length === 0 ? 'This is final' : `Allowed: ${next.join(', ')}`;
  return refusal('transition_not_allowed', `The member is ${statusName(statusId)}. ${advice}.`);
}
