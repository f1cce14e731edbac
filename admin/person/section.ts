import type { Table } from '../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import type { Clock } from '../../shared/platform/clock.ts';

export interface Person {
  readonly table: Table;
  readonly orgId: string;
  readonly customer: CustomerRecord;
  readonly nowUnix: number;
  readonly clock: Clock;
}

/** One place where a person's data lies. Whatever comes to hold some becomes another part. */
export interface PersonPart {
  /** Its field in the documents of export and erase. */
  readonly name: string;
  /** Everything that is held there about the person, as the person would be shown it. */
  collect(person: Person): Promise<unknown>;
  /**
   * Takes away what identifies the person, keeps what the books need, and says how many records changed. To repeat it,
   * after a crash half-way too, changes only what is left.
   */
  erase(person: Person): Promise<number>;
}
