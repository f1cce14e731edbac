import { readTypesInOrder } from '../../../shared/data/membership/config.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipTypeResource } from '../../../shared/mappers/membership-config.ts';
import { listMembershipTypes } from '../../../shared/operations/membership/list-membership-types.ts';

export const handle: Handle<typeof listMembershipTypes> = async (_input, { caller, table, baseUrl }) => {
  const records = await readTypesInOrder(table, caller.orgId);
  return {
    object: 'membership_types',
    url: `${baseUrl}${listMembershipTypes.paths[0]}`,
    has_more: false,
    data: records.map(membershipTypeResource),
  };
};

export const handler = pipeline(listMembershipTypes, handle);
