import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createMembershipCategory as create } from '../../../shared/catalogue/save-membership.ts';
import type { MembershipConfig } from '../../../shared/data/membership/config.ts';
import { savedCategory } from '../../../shared/data/membership/save-config.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipCategoryResource } from '../../../shared/mappers/membership-config.ts';
import { newMembershipCategory } from '../../../shared/mappers/membership-input.ts';
import { createMembershipCategory } from '../../../shared/operations/catalogue/create-membership-category.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createMembershipCategory> = async ({ body }, deps) => {
  const { caller, table, clock, receipt, requestId } = deps;
  const { orgId } = caller;
  const values = newMembershipCategory(body, body.code ?? newCode());
  const categoryId = derivedId(orgId, 'category', values.code);
  const resource = (config: MembershipConfig) => membershipCategoryResource(savedCategory(config, categoryId));
  const saved = await create({ table, orgId, nowUnix: unixSeconds(clock), requestId }, values, (config) =>
    receipt(resource(config)),
  );
  return resource(unwrapSavedMembership(saved, 'membership category').config);
};

export const handler = pipeline(createMembershipCategory, handle);
