import type { Table } from '../data/table/table.ts';
import type { Payments } from '../payments/payments.ts';
import type { Clock } from '../platform/clock.ts';

/** The dependencies of every step of a charge without a basket. */
export interface ChargeDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly payments: Payments;
  readonly clock: Clock;
  /** The API request; undefined for the worker. */
  readonly requestId: string | undefined;
}
