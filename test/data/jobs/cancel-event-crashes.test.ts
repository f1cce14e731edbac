import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { eventKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { chargesOf, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, ticketsOf } from '../../support/baskets.ts';
import { runCancelCrash } from '../../support/faults/cancel-event-crash-scenario.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { cancelWith, finishJob, jobOf } from '../../support/jobs.ts';
import { expectEntries } from '../../support/journal.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints, longTest } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function crashEverywhere(refund: 'all' | 'none'): Promise<void> {
  for (const at of crashPoints()) {
    let hasCrashed = false;
    for (const when of crashMoments) {
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

  it('a checkout that waits for any read but that of the event until the job has ended leaves no order without its refund', async () => {
    for (const at of crashPoints()) if ((await runSlowRead(at)) === 'not reached') break;
  });
});

describe('the job of a cancelled event', () => {
  it('is due after the attempt that wrote it, not after the request', async () => {
    const { event } = await givenOnSale(table, 'org_delayed', { capacity: 10 });
    const deps = checkoutDepsOf(table, 'org_delayed');
    let delayed = false;
    const client: Table['client'] = Object.create(table.client, {
      send: {
        value: async (command: Parameters<Table['client']['send']>[0], options?: object) => {
          if (!delayed && command.constructor.name === 'TransactWriteCommand') {
            delayed = true;
            await changeEvent(table, deps.orgId, event.eventId, (current) => ({ ...current, title: 'Cup final' }));
            deps.nowUnix += 9;
          }
          return table.client.send(command, options);
        },
      },
    });
    await cancelWith({ ...deps, table: { ...table, client } }, event.eventId, 'all');
    expect((await jobOf(deps, event.eventId)).dueUnix).toBe(deps.nowUnix + 16);
  });
});

/** Cancels the event and runs its job while one of a checkout's reads waits for its answer. */
async function runSlowRead(at: number): Promise<'not reached' | 'other'> {
  const orgId = `org_slow${at}`;
  const { event, price } = await givenOnSale(table, orgId, { capacity: 10 });
  const deps = checkoutDepsOf(table, orgId);
  const { basketId } = await givenBasket(deps, price, 2);
  let reads = 0;
  const { pk, sk } = eventKey(orgId, event.eventId);
  // The answer of the event is two seconds old at most: a call that takes longer is sent again.
  const isRead = (command: { readonly input: object }) =>
    /^(Get|BatchGet|Query)Command$/.test(command.constructor.name) &&
    !JSON.stringify(command.input).includes(JSON.stringify({ pk, sk }));
  const client: Table['client'] = Object.create(table.client, {
    send: {
      value: async (command: Parameters<Table['client']['send']>[0], options?: object) => {
        const answer = table.client.send(command, options);
        if (isRead(command)) reads += 1;
        if (isRead(command) && reads === at) {
          await answer;
          await cancelWith(deps, event.eventId, 'all');
          await finishJob(deps, event.eventId);
        }
        return answer;
      },
    },
  });
  await checkOutWith({ ...deps, table: { ...table, client } }, basketId);
  if (reads < at) return 'not reached';
  const placed = await readOrderWithTickets(table, orgId, basketId);
  const refunds = (await readBasket(table, orgId, basketId))?.refunds ?? [];
  if (placed !== undefined) expect(refunds, `read ${at}`).toHaveLength(1);
  return 'other';
}

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
