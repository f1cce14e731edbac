import { readOfferedTypes } from '../../../shared/data/membership/offer.ts';
import { isInCatalogue } from '../../../shared/domain/membership/in-catalogue.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { offeredTypeResource } from '../../../shared/mappers/offered-membership-type.ts';
import { listMembershipTypes } from '../../../shared/operations/membership/list-membership-types.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof listMembershipTypes> = async (_input, { caller, table, clock, baseUrl }) => {
  const isPublic = caller.kind === 'storefront';
  const all = await readOfferedTypes(table, caller.orgId);
  const records = isPublic ? all.filter(({ type, category }) => isInCatalogue(type, category)) : all;
  const nowUnix = unixSeconds(clock);
  return {
    object: 'membership_types',
    url: `${baseUrl}${listMembershipTypes.paths[0]}`,
    has_more: false,
    data: records.map((record) => offeredTypeResource(record, { isPublic, nowUnix })),
  };
};

export const handler = pipeline(listMembershipTypes, handle);
