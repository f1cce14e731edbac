import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createPaymentOption } from '../../../shared/catalogue/save-membership.ts';
import type { MembershipConfig } from '../../../shared/data/membership/config.ts';
import { savedPaymentOption } from '../../../shared/data/membership/save-config.ts';
import { unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipPaymentOptionResource } from '../../../shared/mappers/membership-config.ts';
import { newPaymentOption } from '../../../shared/mappers/membership-input.ts';
import { createMembershipPaymentOption } from '../../../shared/operations/catalogue/create-membership-payment-option.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createMembershipPaymentOption> = async ({ query, body }, deps) => {
  const { caller, table, clock, receipt, requestId } = deps;
  const values = newPaymentOption(body, body.code ?? newCode());
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const resource = (config: MembershipConfig) =>
    membershipPaymentOptionResource(savedPaymentOption(config, values.code));
  const saved = await createPaymentOption(
    { table, orgId: caller.orgId, nowUnix: unixSeconds(clock), requestId, dryRun },
    values,
    (config) => receipt(resource(config)),
  );
  return resource(unwrapSavedMembership(saved, 'membership payment option').config);
};

export const handler = pipeline(createMembershipPaymentOption, handle);
