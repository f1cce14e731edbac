import * as v from 'valibot';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { sortKeyOf } from '../../domain/customers/sort.ts';
import { given } from '../../domain/given.ts';
import { customerKey, customersPartition, type ItemKey } from '../table/keys.ts';
import { carried, row, storedMetadata } from '../table/row.ts';

export type CustomerItem = ItemKey & Readonly<Record<string, unknown>>;

/** Empty values are not stored, and attribute names are short, because the table and its indexes contain several copies of a customer. */
const text = v.optional(v.string());
const StoredCustomer = row({
  id: v.number(),
  /** Absent if it is the id as text. */
  ref: text,
  first: text,
  last: text,
  email: text,
  mobile: text,
  post: text,
  mail: v.optional(v.boolean(), false),
  news: v.optional(v.boolean(), false),
  updated: v.optional(v.number()),
  owns: v.optional(v.boolean(), false),
  typed: v.optional(v.boolean(), false),
  meta: storedMetadata,
  v: v.number(),
});

export function parseCustomer(item: unknown): CustomerRecord {
  const stored = v.parse(StoredCustomer, item);
  return {
    ...carried(stored),
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
    ownsAddress: stored.owns,
    isAddressUnproven: stored.typed,
    ...(stored.meta && { metadata: stored.meta }),
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
    owns: record.ownsAddress || undefined,
    typed: record.isAddressUnproven || undefined,
    meta: record.metadata,
    v: record.version,
  };
  return { ...carried(record), ...given(stored) };
}

/** The row is the source of truth for a customer. Index by1 sorts customers by their last change. */
export function customerRow(orgId: string, record: CustomerRecord): CustomerItem {
  return {
    ...customerKey(orgId, record.userId),
    by1pk: customersPartition(orgId),
    by1sk: sortKeyOf('updated', record),
    ...customerAttributes(record),
  };
}
