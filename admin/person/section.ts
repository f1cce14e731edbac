import { customersWithEmail } from '../../shared/data/customers/by-email.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { type CustomerRecord, emailIdentity } from '../../shared/domain/customers/customer.ts';
import { customerAtAddress } from '../../shared/domain/customers/shared-address.ts';
import type { Clock } from '../../shared/platform/clock.ts';

/** The person whose data is exported or erased. */
export interface Person {
  readonly table: Table;
  readonly orgId: string;
  readonly customer: CustomerRecord;
  /** All customers with the person's email address, the oldest first. */
  readonly sharing: readonly CustomerRecord[];
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
  const sharing: CustomerRecord[] = [];
  if (customer.emailAddress !== null) {
    for await (const each of customersWithEmail(table, orgId, customer.emailAddress)) sharing.push(each);
  }
  return { table, orgId, customer, sharing, ...run };
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
  erase(person: Person): Promise<number>;
}

/**
 * Whether a record without a customer, but with an email address and names, belongs to the person. If several customers share
 * the address, the names decide, as for a checkout.
 */
export function ownsAddress(person: Person, emailAddress: string | null, names: string): boolean {
  if (!hasEmailOf(person, emailAddress)) return false;
  return customerAtAddress(person.sharing, names)?.userId === person.customer.userId;
}

export function hasEmailOf({ customer }: Person, emailAddress: string | null): boolean {
  if (emailAddress === null || customer.emailAddress === null) return false;
  return emailIdentity(emailAddress) === emailIdentity(customer.emailAddress);
}
