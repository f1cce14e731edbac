import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { ownMember } from '../../../shared/http/handlers/callers/own-member.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { memberTermResource } from '../../../shared/mappers/member-term.ts';
import { listMemberTerms } from '../../../shared/operations/members/list-member-terms.ts';

export const handle: Handle<typeof listMemberTerms> = async ({ params }, deps) => {
  const { caller, table, baseUrl } = deps;
  const { memberId } = await ownMember(deps, params);
  const terms = await termsOfMember(table, caller.orgId, memberId);
  return {
    object: 'member_terms',
    url: `${baseUrl}/v1/members/${memberId}/terms`,
    has_more: false,
    data: terms.map((term) => memberTermResource(term, terms)),
  };
};

export const handler = pipeline(listMemberTerms, handle);
