import { addedUnixOf, type CustomerRecord } from '../domain/customers/customer.ts';
import type { CustomerSort } from '../domain/customers/sort.ts';
import { noMetadata } from '../domain/metadata.ts';
import type { Customer } from '../operations/schemas/customer.ts';

export function customerResource(orgId: string, record: CustomerRecord): Customer {
  return {
    add_date: addedUnixOf(record),
    org_customer_id: record.orgCustomerId,
    user_id: record.userId,
    org_id: orgId,
    first_name: record.firstName,
    last_name: record.lastName,
    email_address: record.emailAddress,
    marketing_emails: record.marketingEmails,
    mobile_number: record.mobileNumber,
    postcode: record.postcode,
    new_event_notifications: record.newEventNotifications,
    updated_at: record.updatedUnix,
    metadata: record.metadata ?? noMetadata,
  };
}

/** What tells the copies of other systems to forget a person. */
export function customerErased(
  customer: Pick<CustomerRecord, 'userId' | 'orgCustomerId'> | undefined,
  { orderIds, memberIds }: { readonly orderIds: readonly number[]; readonly memberIds: readonly number[] },
) {
  return {
    type: 'customer.erased' as const,
    data: {
      user_id: customer?.userId ?? null,
      org_customer_id: customer?.orgCustomerId ?? null,
      order_ids: orderIds,
      membership_member_ids: memberIds,
    },
  };
}

/** The sort orders of customers, by the field of the API. */
export const customerSorts = {
  add_date: 'added',
  updated_at: 'updated',
  first_name: 'first',
  last_name: 'last',
  email_address: 'email',
} as const satisfies Partial<Record<keyof Customer, CustomerSort>>;
