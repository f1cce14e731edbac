import { readMember } from '../../../shared/data/members/read.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import { retrieveMember } from '../../../shared/operations/members/retrieve-member.ts';

export const handle: Handle<typeof retrieveMember> = async ({ params }, { caller, table }) => {
  const memberId = parseId(params.membership_member_id);
  const member = memberId === undefined ? undefined : await readMember(table, caller.orgId, memberId);
  if (member === undefined) throw notFound('member');
  return memberResource(member);
};

export const handler = pipeline(retrieveMember, handle);
