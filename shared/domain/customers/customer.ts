import { characterCount, controlCharacters, spaces } from '../characters.ts';
import { createdUnixOf } from '../ids.ts';
import type { Metadata } from '../metadata.ts';

/** The fields of a customer that can be changed. */
export interface CustomerFields {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly mobileNumber: string | null;
  readonly postcode: string | null;
  readonly marketingEmails: boolean;
  readonly newEventNotifications: boolean;
}

/** A new customer without data, or one whose data was erased. */
export const emptyCustomer: CustomerFields = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  mobileNumber: null,
  postcode: null,
  marketingEmails: false,
  newEventNotifications: false,
};

export interface CustomerRecord extends CustomerFields {
  readonly userId: number;
  readonly orgCustomerId: string;
  readonly updatedUnix: number | null;
  /** Whether a checkout created the customer for its email address: two concurrent ones must not create two customers. */
  readonly ownsAddress: boolean;
  /**
   * Whether a signed-in fan typed the address at the checkout that created the customer, and nothing proves that it is the fan's.
   * Checkouts and links do not find the customer by it: the fan would see the later orders of the owner of the address.
   */
  readonly isAddressUnproven: boolean;
  /** Absent if there is none. */
  readonly metadata?: Metadata | undefined;
  /** Incremented with each change, so concurrent changes do not overwrite each other. */
  readonly version: number;
}

/** The id starts with the second in which the customer was added, also for imported customers. */
export function addedUnixOf({ userId }: Pick<CustomerRecord, 'userId'>): number {
  return createdUnixOf(userId);
}

/** For a customer that was never updated, the time it was added. */
export function lastChangedUnixOf(record: Pick<CustomerRecord, 'userId' | 'updatedUnix'>): number {
  return record.updatedUnix ?? addedUnixOf(record);
}

/**
 * Normalizes an email address, so two spellings of one address are equal: case and compatibility forms are ignored.
 * Accents are kept, unlike in a search: `jose@example.com` and `josé@example.com` may be two people, and one of them must
 * never receive the other's orders.
 */
export function emailIdentity(emailAddress: string): string {
  return emailAddress.trim().normalize('NFKC').toLowerCase();
}

/** The maximum lengths by field. They keep keys below DynamoDB's limits and every copy of a customer small. */
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

/** RFC 5321 limits the octets of an address, not its characters. */
function emailOctets(emailAddress: string): number {
  return utf8.encode(emailIdentity(emailAddress)).length;
}

const atom = `[^${controlCharacters}${spaces}"(),.:;<>@\\[\\\\\\]]+`;
const label = `[^${controlCharacters}${spaces}!-\\/:-@\\[-\`{-~]+`;

/**
 * The form of an email address (RFC 6531): words separated by dots, then the labels of a domain. Mail servers and payment
 * providers refuse other forms. Each character can be matched in one way only, so the time is linear in the length.
 */
export const emailPattern = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:(?:\\.|-+)${label})*$`);

/** Whether an email address is short enough to be a key. */
export function isShortEmailAddress(text: string): boolean {
  return emailOctets(text) <= customerLimits.emailAddress;
}

/** Returns the first field that is too long (or an empty org_customer_id), with its maximum length; undefined if all are valid. */
export function invalidField(
  record: Pick<CustomerRecord, LimitedField>,
): { readonly field: LimitedField; readonly maxLength: number } | undefined {
  const lengths: readonly (readonly [LimitedField, number])[] = [
    ['orgCustomerId', record.orgCustomerId.length],
    ['firstName', characterCount(record.firstName ?? '')],
    ['lastName', characterCount(record.lastName ?? '')],
    ['emailAddress', emailOctets(record.emailAddress ?? '')],
    ['mobileNumber', characterCount(record.mobileNumber ?? '')],
    ['postcode', characterCount(record.postcode ?? '')],
  ];
  const [found] = lengths.filter(
    ([name, length]) => length > customerLimits[name] || (name === 'orgCustomerId' && length === 0),
  );
  return found && { field: found[0], maxLength: customerLimits[found[0]] };
}
