import type { Table } from '../../shared/data/table/table.ts';
import { type CustomerRecord, emailIdentity } from '../../shared/domain/customers/customer.ts';
import type { Clock } from '../../shared/platform/clock.ts';

/** The person whose data is exported or erased. */
export interface Person {
  readonly table: Table;
  readonly orgId: string;
  readonly customer: CustomerRecord;
  readonly nowUnix: number;
  readonly clock: Clock;
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

export function hasEmailOf({ customer }: Person, emailAddress: string | null): boolean {
  if (emailAddress === null || customer.emailAddress === null) return false;
  return emailIdentity(emailAddress) === emailIdentity(customer.emailAddress);
}
