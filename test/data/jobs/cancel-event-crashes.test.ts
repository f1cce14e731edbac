import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { chargesOf, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, ticketsOf } from '../../support/baskets.ts';
import { runCancelCrash } from '../../support/faults/cancel-event-crash-scenario.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { cancelWith, finishJob } from '../../support/jobs.ts';
import { expectEntries } from '../../support/journal.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints, isThorough, longTest } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function crashEverywhere(refund: 'all' | 'none'): Promise<void> {
  for (const at of crashPoints()) {
    let hasCrashed = false;
    for (const when of isThorough ? (['before', 'after'] as const) : (['after'] as const)) {
      const crash = { table, orgId: `org_${refund}_${when}${at}`, refund, crashes: { at, when } };
      hasCrashed = await runCancelCrash(crash);
    }
    if (hasCrashed) continue;
    expect(at).toBeGreaterThan(20);
    return;
  }
}

describe('cancel-event after crashes', () => {
  it('cancel-event that crashes at any call ends with each order refunded once', () => crashEverywhere('all'));

  longTest('cancel-event with refund none that crashes at any call ends with each order cancelled once', () =>
    crashEverywhere('none'),
  );

  it('a checkout that is cancelled meanwhile, at any of its calls, leaves no order without its refund', async () => {
    let withOwnRefund = 0;
    for (const at of crashPoints()) {
      const raced = await runRace(at);
      if (raced === 'not reached') break;
      if (raced === 'order with its refund') withOwnRefund += 1;
    }
    expect(withOwnRefund).toBeGreaterThan(0);
  });
});

/** Cancels the event right before one of a checkout's calls to the table. */
async function runRace(at: number): Promise<'not reached' | 'order with its refund' | 'other'> {
  const orgId = `org_race${at}`;
  const about = `call ${at}`;
  const { event, price } = await givenOnSale(table, orgId, { capacity: 10 });
  const deps = checkoutDepsOf(table, orgId);
  const { basketId } = await givenBasket(deps, price, 2);
  const reached = new CancelPoint(at, () => cancelWith(deps, event.eventId, 'all'));
  const result = await checkOutWith({ ...deps, table: reached.around(table) }, basketId);
  if (reached.cancelled === undefined) return 'not reached';
  await reached.cancelled;
  const placed = await readOrderWithTickets(table, orgId, basketId);
  const refunds = (await readBasket(table, orgId, basketId))?.refunds ?? [];
  if (placed === undefined) expect(result, about).toMatchObject({ outcome: 'refused' });
  const orders = placed === undefined ? 0 : 1;
  const job = await finishJob(deps, event.eventId);
  expect(job, about).toMatchObject({ status: 'done', total: orders, done: orders, failed: 0 });
  deps.nowUnix += 900;
  await sweepBaskets(deps);
  expect(await ticketsOf(deps, price, []), about).toMatchObject({ available: 10, sold: 0 });
  if (placed !== undefined) {
    await expectEntries(deps, basketId, ['sale', 'refund'], about);
    expect(await chargesOf(deps)).toMatchObject([{ status: 'paid', refundedMinor: 6_430 }]);
  }
  return refunds.length > 0 ? 'order with its refund' : 'other';
}

/** Cancels the event when the process reaches a given call to the table, before the call is sent. */
class CancelPoint {
  cancelled: Promise<unknown> | undefined;
  readonly #at: number;
  readonly #cancel: () => Promise<unknown>;

  constructor(at: number, cancel: () => Promise<unknown>) {
    this.#at = at;
    this.#cancel = cancel;
  }

  around(table: Table): Table {
    // It never crashes. Only its calls are counted.
    const counted = new CrashPoint(Number.POSITIVE_INFINITY, 'before');
    const own = crashingTable(table, counted);
    own.client.middlewareStack.add(
      (next) => async (args) => {
        if (counted.calls === this.#at) {
          this.cancelled = this.#cancel();
          await this.cancelled;
        }
        return next(args);
      },
      { step: 'initialize', priority: 'low' },
    );
    return own;
  }
}
