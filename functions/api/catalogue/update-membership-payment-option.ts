import { updatePaymentOption } from '../../../shared/catalogue/save-membership.ts';
import { savedPaymentOption } from '../../../shared/data/membership/save-config.ts';
import { unwrapSavedMembership } from '../../../shared/http/handlers/problems/membership-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipPaymentOptionResource } from '../../../shared/mappers/membership-config.ts';
import { paymentOptionChange } from '../../../shared/mappers/membership-input.ts';
import { updateMembershipPaymentOption } from '../../../shared/operations/catalogue/update-membership-payment-option.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateMembershipPaymentOption> = async ({ params, query, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const code = params.membership_payment_option_id;
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await updatePaymentOption(
    { table, orgId: caller.orgId, nowUnix: unixSeconds(clock), requestId, dryRun },
    code,
    { change: paymentOptionChange(body), ifMatch },
  );
  const { config } = unwrapSavedMembership(saved, 'membership payment option');
  return membershipPaymentOptionResource(savedPaymentOption(config, code));
};

export const handler = pipeline(updateMembershipPaymentOption, handle);
