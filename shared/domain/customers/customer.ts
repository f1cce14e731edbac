import { createdUnixOf } from '../ids.ts';

/** What people tell about themselves and may change. */
export interface CustomerFields {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly mobileNumber: string | null;
  readonly postcode: string | null;
  readonly marketingEmails: boolean;
  readonly newEventNotifications: boolean;
}

export interface CustomerRecord extends CustomerFields {
  readonly userId: number;
  readonly orgCustomerId: string;
  readonly updatedUnix: number | null;
  /** Goes up with each change, so that two changes at once cannot lose one of them. */
  readonly version: number;
}

/** The id begins with the second in which the customer was added, for imports too. */
export function addedUnixOf({ userId }: Pick<CustomerRecord, 'userId'>): number {
  return createdUnixOf(userId);
}

/** A customer that was never updated is compared on the time it was added. */
export function lastChangedUnixOf(record: Pick<CustomerRecord, 'userId' | 'updatedUnix'>): number {
  return record.updatedUnix ?? addedUnixOf(record);
}

/**
 * What makes two spellings one email address: case and compatibility forms, but not accents, which a search ignores.
 * `jose@example.com` and `josé@example.com` may be two people, and one must never be given the other's orders.
 */
export function emailIdentity(emailAddress: string): string {
  return emailAddress.trim().normalize('NFKC').toLowerCase();
}

/** Longest values by field. They keep keys below DynamoDB's limits and every copy of a customer small. */
export const customerLimits = {
  orgCustomerId: 100,
  firstName: 200,
  lastName: 200,
  emailAddress: 254,
  mobileNumber: 50,
  postcode: 50,
} as const satisfies Partial<Record<keyof CustomerRecord, number>>;
type LimitedField = keyof typeof customerLimits;

const utf8 = new TextEncoder();

/** RFC 5321 counts octets. */
function emailOctets(emailAddress: string): number {
  return utf8.encode(emailIdentity(emailAddress)).length;
}

/** Whether somebody can be known by this email address. Only the form: what is behind it shows when something is sent there. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && emailOctets(text) <= customerLimits.emailAddress;
}

/** The field that cannot be stored as it is, with the length it may have; undefined when there is none. */
export function invalidField(
  record: Pick<CustomerRecord, LimitedField>,
): { readonly field: LimitedField; readonly longest: number } | undefined {
  const lengths: readonly (readonly [LimitedField, number])[] = [
    ['orgCustomerId', record.orgCustomerId.length],
    ['firstName', record.firstName?.length ?? 0],
    ['lastName', record.lastName?.length ?? 0],
    ['emailAddress', emailOctets(record.emailAddress ?? '')],
    ['mobileNumber', record.mobileNumber?.length ?? 0],
    ['postcode', record.postcode?.length ?? 0],
  ];
  const [found] = lengths.filter(
    ([name, length]) => length > customerLimits[name] || (name === 'orgCustomerId' && length === 0),
  );
  return found && { field: found[0], longest: customerLimits[found[0]] };
}
