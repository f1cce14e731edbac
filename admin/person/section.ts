import { customersWithEmail } from '../../shared/data/customers/by-email.ts';
import { readFormerAddresses } from '../../shared/data/customers/former-addresses.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { type CustomerRecord, emailIdentity, emptyCustomer } from '../../shared/domain/customers/customer.ts';
import { customerAtAddress } from '../../shared/domain/customers/shared-address.ts';
import type { Clock } from '../../shared/platform/clock.ts';

/** The person whose data is exported or erased. */
export interface Person {
  readonly table: Table;
  readonly orgId: string;
  readonly customer: CustomerRecord;
  /** The address of the customer, unless nothing proves that it is theirs, and those that the customer had before. */
  readonly addresses: readonly string[];
  /**
   * The customers of each of these addresses, by its identity: those who have it now, the oldest first, and the person last if it was
   * theirs before.
   */
  readonly sharing: ReadonlyMap<string, readonly CustomerRecord[]>;
  /** A row is stamped when it is written: an erasure takes minutes, and clients ask for changes since their last request. */
  readonly clock: Clock;
  /** The run of the CLI. */
  readonly requestId: string;
}

export async function personOf(
  table: Table,
  orgId: string,
  customer: CustomerRecord,
  run: Pick<Person, 'clock' | 'requestId'>,
): Promise<Person> {
  const current = customer.isAddressUnproven ? null : customer.emailAddress;
  const former = await readFormerAddresses(table, orgId, customer.userId);
  const addresses = [...(current === null ? [] : [current]), ...former];
  const sharing = new Map<string, readonly CustomerRecord[]>();
  for (const address of addresses)
    sharing.set(emailIdentity(address), await sharersOf(table, orgId, customer, address));
  return { table, orgId, customer, addresses, sharing, ...run };
}

/** No customer has this id: ids begin with the second in which a customer was added. */
const noUserId = 0;

/** Somebody who is no customer, by an email address: the recipient of an offered ticket, somebody in a waiting list, the buyer of an imported order. */
export function addressPerson(
  table: Table,
  orgId: string,
  emailAddress: string,
  run: Pick<Person, 'clock' | 'requestId'>,
): Person {
  const customer: CustomerRecord = {
    ...emptyCustomer,
    emailAddress,
    userId: noUserId,
    orgCustomerId: '',
    updatedUnix: null,
    version: 0,
    ownsAddress: false,
    isAddressUnproven: false,
  };
  const sharing = new Map([[emailIdentity(emailAddress), [customer]]]);
  return { table, orgId, customer, addresses: [emailAddress], sharing, ...run };
}

export const isCustomer = ({ customer }: Pick<Person, 'customer'>): boolean => customer.userId !== noUserId;

async function sharersOf(table: Table, orgId: string, customer: CustomerRecord, emailAddress: string) {
  const sharers: CustomerRecord[] = [];
  for await (const each of customersWithEmail(table, orgId, emailAddress)) sharers.push(each);
  const isAmong = sharers.some(({ userId }) => userId === customer.userId);
  return isAmong ? sharers : [...sharers, { ...customer, isAddressUnproven: false }];
}

/** One section of a person's data, such as orders. Every new store of personal data needs a section. */
export interface PersonSection {
  /** Its field in the documents of customer export and customer erase. */
  readonly name: string;
  /** Everything in this section about the person, as it is shown to the person. */
  collect(person: Person): Promise<unknown>;
  /**
   * Erases what identifies the person, keeps what accounting needs, and returns the number of changed records. Repeating
   * it, also after a crash, changes only what is left.
   */
  erase(person: Person, reached?: Reached): Promise<number>;
}

/** What an erasure reaches that copies of others have, by its ids. Somebody may buy while it runs. */
export interface Reached {
  readonly orderIds: Set<number>;
  readonly memberIds: Set<number>;
}

/**
 * Whether a record without a customer, but with an email address and names, belongs to the person. If several customers share
 * the address, the names decide, as for a checkout. Without such names, an address that the person had before belongs to who has it now.
 */
export function ownsAddress(person: Person, emailAddress: string | null, names: string): boolean {
  const sharing = emailAddress === null ? undefined : person.sharing.get(emailIdentity(emailAddress));
  return sharing !== undefined && customerAtAddress(sharing, names)?.userId === person.customer.userId;
}

export function hasEmailOf({ sharing }: Person, emailAddress: string | null): boolean {
  return emailAddress !== null && sharing.has(emailIdentity(emailAddress));
}
