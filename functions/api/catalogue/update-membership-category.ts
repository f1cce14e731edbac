import { updateMembershipCategory as update } from '../../../shared/catalogue/save-membership.ts';
import { savedCategory } from '../../../shared/data/membership/save-config.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { membershipCategoryResource } from '../../../shared/mappers/membership-config.ts';
import { membershipCategoryChange } from '../../../shared/mappers/membership-input.ts';
import { updateMembershipCategory } from '../../../shared/operations/catalogue/update-membership-category.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateMembershipCategory> = async ({ params, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const categoryId = parseId(params.membership_category_id);
  if (categoryId === undefined) throw notFound('membership category');
  const saved = await update({ table, orgId: caller.orgId, nowUnix: unixSeconds(clock), requestId }, categoryId, {
    change: membershipCategoryChange(body),
    ifMatch,
  });
  const { config, jobId } = unwrapSavedMembership(saved, 'membership category');
  return { ...membershipCategoryResource(savedCategory(config, categoryId)), refresh_job_id: jobId };
};

export const handler = pipeline(updateMembershipCategory, handle);
