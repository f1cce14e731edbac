import type { ListOrdersQuery } from '../../../operations/orders/list-orders.ts';

/** Which orders a page by number shows. */
export function orderListing(orgId: string, query: ListOrdersQuery) {
  return {
    orgId,
    userId: query.user_id,
    emailAddress: query.email_address,
    status: query.order_status,
    search: query.search,
    barcode: query.barcode,
    externalReference: query.external_reference,
    range: { after: query.unix_start, before: query.unix_end },
    page: query.page_number,
    limit: query.limit,
  };
}
