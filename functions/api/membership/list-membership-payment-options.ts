import { readActivePaymentOptions } from '../../../shared/data/membership/config.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipPaymentOptionResource } from '../../../shared/mappers/membership-config.ts';
import { listMembershipPaymentOptions } from '../../../shared/operations/membership/list-membership-payment-options.ts';

export const handle: Handle<typeof listMembershipPaymentOptions> = async (_input, { caller, table, baseUrl }) => {
  const records = await readActivePaymentOptions(table, caller.orgId);
  return {
    object: 'membership_payment_options',
    url: `${baseUrl}${listMembershipPaymentOptions.paths[0]}`,
    has_more: false,
    data: records.map(membershipPaymentOptionResource),
  };
};

export const handler = pipeline(listMembershipPaymentOptions, handle);
