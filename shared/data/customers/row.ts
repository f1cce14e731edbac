import * as v from 'valibot';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { sortKeyOf } from '../../domain/customers/sort.ts';
import { customerKey, customersPartition, type ItemKey } from '../table/keys.ts';

export type CustomerItem = ItemKey & Readonly<Record<string, unknown>>;

/** What has no value is not stored, and names are short: a customer stands in the table a dozen times. */
const text = v.optional(v.string());
const StoredCustomer = v.object({
  id: v.number(),
  /** Absent where it is the id itself, as text. */
  ref: text,
  first: text,
  last: text,
  email: text,
  mobile: text,
  post: text,
  mail: v.optional(v.boolean(), false),
  news: v.optional(v.boolean(), false),
  updated: v.optional(v.number()),
  v: v.number(),
});

export function parseCustomer(item: unknown): CustomerRecord {
  const stored = v.parse(StoredCustomer, item);
  return {
    userId: stored.id,
    orgCustomerId: stored.ref ?? String(stored.id),
    firstName: stored.first ?? null,
    lastName: stored.last ?? null,
    emailAddress: stored.email ?? null,
    mobileNumber: stored.mobile ?? null,
    postcode: stored.post ?? null,
    marketingEmails: stored.mail,
    newEventNotifications: stored.news,
    updatedUnix: stored.updated ?? null,
    version: stored.v,
  };
}

/** The attributes of a customer, the same in the row and in every view. */
export function customerAttributes(record: CustomerRecord): Record<string, unknown> {
  const stored: v.InferInput<typeof StoredCustomer> = {
    id: record.userId,
    ref: record.orgCustomerId === String(record.userId) ? undefined : record.orgCustomerId,
    first: record.firstName ?? undefined,
    last: record.lastName ?? undefined,
    email: record.emailAddress ?? undefined,
    mobile: record.mobileNumber ?? undefined,
    post: record.postcode ?? undefined,
    mail: record.marketingEmails || undefined,
    news: record.newEventNotifications || undefined,
    updated: record.updatedUnix ?? undefined,
    v: record.version,
  };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

/** The row is the truth about a customer; in by1 it stands by its last change. */
export function customerRow(orgId: string, record: CustomerRecord): CustomerItem {
  return {
    ...customerKey(orgId, record.userId),
    by1pk: customersPartition(orgId),
    by1sk: sortKeyOf('updated', record),
    ...customerAttributes(record),
  };
}
