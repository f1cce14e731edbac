import { readTypesInOrder } from '../../../shared/data/membership/config.ts';
import { isInCatalogue } from '../../../shared/domain/membership/in-catalogue.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipTypeResource } from '../../../shared/mappers/membership-config.ts';
import { listMembershipTypes } from '../../../shared/operations/membership/list-membership-types.ts';

export const handle: Handle<typeof listMembershipTypes> = async (_input, { caller, table, baseUrl }) => {
  const isPublic = caller.kind === 'storefront';
  const all = await readTypesInOrder(table, caller.orgId);
  const records = isPublic ? all.filter(({ type, category }) => isInCatalogue(type, category)) : all;
  return {
    object: 'membership_types',
    url: `${baseUrl}${listMembershipTypes.paths[0]}`,
    has_more: false,
    data: records.map((record) => membershipTypeResource(record, { isPublic })),
  };
};

export const handler = pipeline(listMembershipTypes, handle);
