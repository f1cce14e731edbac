import { memberByNumber } from '../../shared/data/admin/save-member.ts';
import { changeMember, type MemberFields } from '../../shared/data/members/change.ts';
import { readMember } from '../../shared/data/members/read.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { fulfil } from '../../shared/domain/members/fulfilment.ts';
import { memberLimits } from '../../shared/domain/members/limits.ts';
import { type MemberStatusId, mayBecome, nextStatuses, statusName } from '../../shared/domain/members/status.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { announce } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Context, Group, Option, Positional } from '../command.ts';
import { memberDocument, memberSheet } from '../documents/member.ts';
import { refusal } from '../failure.ts';
import { line, memberStatus, organisationId } from '../values/values.ts';

interface Request {
  readonly orgId: string;
  readonly member: string;
  readonly byNumber: boolean;
}

async function find({ orgId, member, byNumber }: Request, { table }: Context): Promise<MemberRecord> {
  const memberId = byNumber ? undefined : parseId(member);
  const found = byNumber
    ? await memberByNumber(table, orgId, member)
    : memberId && (await readMember(table, orgId, memberId));
  if (!found) {
    throw refusal('member_missing', `${orgId} has no member with the ${byNumber ? 'number' : 'id'} ${member}.`);
  }
  return found;
}

type Rule = (current: MemberRecord, nowUnix: number) => Partial<MemberFields> | 'refused';

/** What the platform team changes is announced like what clients change. */
async function change(request: Request, context: Context, rule: Rule): Promise<void> {
  const { table, clock, out } = context;
  const { orgId } = request;
  const { memberId } = await find(request, context);
  const nowUnix = unixSeconds(clock);
  const changed = await changeMember(
    table,
    { orgId, memberId, nowUnix, change: (current) => rule(current, nowUnix) },
    ({ after }) => announce(table, orgId, memberUpdated(after), clock.nowMs()),
  );
  if (changed.outcome === 'missing') throw refusal('member_missing', `${orgId} has no member ${memberId} any more.`);
  const { outcome, member } = changed;
  if (outcome === 'refused') throw statusRefused(member);
  const what = outcome === 'changed' ? 'Changed and announced.' : 'It was so already: nothing was changed.';
  out.show({ ...memberDocument(member), outcome }, `${memberSheet(member)}\n\n${what}`);
}

function statusRefused({ statusId }: MemberRecord): Error {
  const next = nextStatuses(statusId).map(statusName);
  const may = next.length === 0 ? 'and that is final' : `and may become ${next.join(', ')}`;
  return refusal('transition_not_allowed', `The member is ${statusName(statusId)}, ${may}.`);
}

const positionals: readonly Positional[] = [
  { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
  { name: 'member', help: 'The membership_member_id; with --number, the member number.' },
];
const byNumber: Option = { name: 'number', help: 'Take <member> for the number on the card.' };

function readRequest(args: Arguments): Request {
  return {
    orgId: args.required('org_id', organisationId),
    member: args.required('member', line(memberLimits.memberNumber)),
    byNumber: args.has('number'),
  };
}

const showCommand: Command = {
  name: 'show',
  summary: 'Show a member, with the day on which it was fulfilled.',
  positionals,
  options: [byNumber],
  example: 'member show org_harbourfc 0001001 --number',
  prepare(args) {
    const request = readRequest(args);
    return async (context) => {
      const member = await find(request, context);
      context.out.show(memberDocument(member), memberSheet(member));
    };
  },
};

const setStatusCommand: Command = {
  name: 'set-status',
  summary: 'Change whether a member has paid, or cancel it; announced as member.updated.',
  positionals: [...positionals, { name: 'status', help: `One of: ${memberStatus.allowed}.` }],
  options: [byNumber],
  example: 'member set-status org_harbourfc 0001001 paid --number',
  prepare(args) {
    const request = readRequest(args);
    const statusId: MemberStatusId = args.required('status', memberStatus);
    return (context) =>
      change(request, context, (current) => (mayBecome(current.statusId, statusId) ? { statusId } : 'refused'));
  },
};

const fulfilCommand: Command = {
  name: 'fulfil',
  summary: 'Record that the card and other goods were sent; announced as member.updated.',
  positionals,
  options: [byNumber, { name: 'tracking-code', value: 'CODE', help: 'Postage tracking code.' }],
  example: 'member fulfil org_harbourfc 0001001 --number --tracking-code JJD1234567',
  prepare(args) {
    const request = readRequest(args);
    const code = args.optional('tracking-code', line(memberLimits.short));
    return (context) => change(request, context, (current, nowUnix) => fulfil(current, code, nowUnix));
  },
};

export const memberGroup: Group = {
  name: 'member',
  summary: 'Members: show one, change its status, fulfil it.',
  commands: [showCommand, setStatusCommand, fulfilCommand],
};
