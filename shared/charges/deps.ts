import type { Table } from '../data/table/table.ts';
import type { SideEffects } from '../data/table/transact.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import type { Payments } from '../payments/payments.ts';
import type { Clock } from '../platform/clock.ts';
import type { ChargeStops } from './charge-stops.ts';

/** The dependencies of every step of a charge without the buyer at the checkout. */
export interface ChargeDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly payments: Payments;
  readonly clock: Clock;
  /** The API request; undefined for the worker. */
  readonly requestId: string | undefined;
  /** The stored response of a request that says what was paid, for the transaction that records it. Absent if nobody is told. */
  readonly receipt?: SideEffects<PlanRecord> | undefined;
}

/** Of the worker, which charges at a pace. */
export interface DueDeps extends ChargeDeps {
  /** Resolves when the next charge may begin. */
  readonly pace: () => Promise<void>;
  readonly stops: ChargeStops;
}

/**
 * What became of something due. `refused`: nothing could be charged, and the card is not the reason. `unsettled`: it is
 * not known yet whether money has moved. `stopped`: the organisation is not charged any more in this run.
 */
export type DueOutcome = { readonly nextUnix: number | undefined } | 'refused' | 'unsettled' | 'stopped';
