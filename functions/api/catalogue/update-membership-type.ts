import { updateMembershipType as update } from '../../../shared/catalogue/save-membership.ts';
import { savedType } from '../../../shared/data/membership/save-config.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { checkTypeInput, unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { membershipTypeResource } from '../../../shared/mappers/membership-config.ts';
import { membershipTypeChange } from '../../../shared/mappers/membership-input.ts';
import { updateMembershipType } from '../../../shared/operations/catalogue/update-membership-type.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateMembershipType> = async ({ params, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const typeId = parseId(params.membership_type_id);
  if (typeId === undefined) throw notFound('membership type');
  checkTypeInput(body);
  const saved = await update({ table, orgId: caller.orgId, nowUnix: unixSeconds(clock), requestId }, typeId, {
    change: membershipTypeChange(body),
    ifMatch,
  });
  const { config, jobId } = unwrapSavedMembership(saved, 'membership type');
  return { ...membershipTypeResource(savedType(config, typeId)), refresh_job_id: jobId };
};

export const handler = pipeline(updateMembershipType, handle);
