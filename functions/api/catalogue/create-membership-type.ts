import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createMembershipType as create } from '../../../shared/catalogue/save-membership.ts';
import type { MembershipConfig } from '../../../shared/data/membership/config.ts';
import { savedType } from '../../../shared/data/membership/save-config.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { checkTypeInput, unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipTypeResource } from '../../../shared/mappers/membership-config.ts';
import { newMembershipType } from '../../../shared/mappers/membership-input.ts';
import { createMembershipType } from '../../../shared/operations/catalogue/create-membership-type.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createMembershipType> = async ({ body }, deps) => {
  const { caller, table, clock, receipt, requestId } = deps;
  const { orgId } = caller;
  checkTypeInput(body);
  const values = newMembershipType(body, body.code ?? newCode());
  const typeId = derivedId(orgId, 'type', values.code);
  const resource = (config: MembershipConfig) => membershipTypeResource(savedType(config, typeId));
  const saved = await create({ table, orgId, nowUnix: unixSeconds(clock), requestId }, values, (config) =>
    receipt(resource(config)),
  );
  return resource(unwrapSavedMembership(saved, 'membership type').config);
};

export const handler = pipeline(createMembershipType, handle);
