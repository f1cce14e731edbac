import type { Table } from '../../data/table/table.ts';
import type { Clock } from '../../platform/clock.ts';

export interface WaitingListDeps {
  readonly table: Table;
  readonly clock: Clock;
  /** A list that takes longer is continued by the sweeper. */
  readonly hasTime: () => boolean;
}

/** The waiting list of an event, with all its prices. */
export interface ListRef {
  readonly orgId: string;
  readonly eventId: number;
}
