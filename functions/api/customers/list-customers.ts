import { listCustomers as listPage } from '../../../shared/data/customers/list.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { customerResource, customerSorts } from '../../../shared/mappers/customer.ts';
import { listCustomers } from '../../../shared/operations/customers/list-customers.ts';

export const handle: Handle<typeof listCustomers> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const listing = {
    orgId,
    sort: customerSorts[query.sort_field],
    descending: query.sort_direction === 'desc',
    search: query.search,
    updatedSince: query.updated_since,
    page: query.page_number,
    limit: query.limit,
  };
  const { customers, hasMore } = await listPage(table, listing);
  return {
    object: 'customers',
    url: `${baseUrl}${listCustomers.paths[0]}`,
    has_more: hasMore,
    org_id: orgId,
    data: customers.map((customer) => customerResource(orgId, customer)),
  };
};

export const handler = pipeline(listCustomers, handle);
