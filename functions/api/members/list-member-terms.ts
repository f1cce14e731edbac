import { readMember } from '../../../shared/data/members/read.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { memberTermResource } from '../../../shared/mappers/member-term.ts';
import { listMemberTerms } from '../../../shared/operations/members/list-member-terms.ts';

export const handle: Handle<typeof listMemberTerms> = async ({ params }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const memberId = parseId(params.membership_member_id);
  if (memberId === undefined) throw notFound('member');
  const [member, terms] = await Promise.all([
    readMember(table, orgId, memberId),
    termsOfMember(table, orgId, memberId),
  ]);
  if (member === undefined) throw notFound('member');
  return {
    object: 'member_terms',
    url: `${baseUrl}/v1/members/${memberId}/terms`,
    has_more: false,
    data: terms.map((term) => memberTermResource(term, terms)),
  };
};

export const handler = pipeline(listMemberTerms, handle);
