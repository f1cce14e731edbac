import * as v from 'valibot';
import type { Response } from './lambda.ts';
import { Timeline } from './statistics.ts';

/** What the buyers saw. */
export interface SaleOutcome {
  readonly holds: Timeline;
  readonly orders: Timeline;
  readonly refusals: Timeline;
  /** The ids of the orders that were confirmed to a buyer, by the buyer. */
  readonly confirmed: Map<number, Set<string>>;
  /** Tickets that buyers wanted and did not get, because nothing was left. */
  unserved: number;
  /** Buyers who gave up, because the service refused their requests too often. */
  gaveUp: number;
  abandoned: number;
  /** Orders of buyers by the phase in which they began to pay, and those without what it requires. */
  readonly ordersByPhase: number[];
  outOfPhase: number;
}

/** Of a sale that begins. */
export const newOutcome = (startMs: number): SaleOutcome => ({
  holds: new Timeline(startMs),
  orders: new Timeline(startMs),
  refusals: new Timeline(startMs),
  confirmed: new Map(),
  unserved: 0,
  gaveUp: 0,
  abandoned: 0,
  ordersByPhase: [0, 0, 0],
  outOfPhase: 0,
});

const InProgress = v.object({
  error: v.object({ code: v.picklist(['checkout_in_progress', 'idempotency_in_progress']) }),
});

/** Another request of this buyer works on the basket, or Stripe's report does: the page tries again. */
export const isInProgress = ({ status, body }: Response): boolean => status === 409 && v.is(InProgress, body);
