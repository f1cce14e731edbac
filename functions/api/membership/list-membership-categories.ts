import { readCategoriesInOrder } from '../../../shared/data/membership/config.ts';
import { isInCatalogue } from '../../../shared/domain/membership/in-catalogue.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { membershipCategoryResource } from '../../../shared/mappers/membership-config.ts';
import { listMembershipCategories } from '../../../shared/operations/membership/list-membership-categories.ts';

export const handle: Handle<typeof listMembershipCategories> = async (_input, { caller, table, baseUrl }) => {
  const all = await readCategoriesInOrder(table, caller.orgId);
  const records = caller.kind === 'storefront' ? all.filter((category) => isInCatalogue(category)) : all;
  return {
    object: 'membership_categories',
    url: `${baseUrl}${listMembershipCategories.paths[0]}`,
    has_more: false,
    data: records.map(membershipCategoryResource),
  };
};

export const handler = pipeline(listMembershipCategories, handle);
