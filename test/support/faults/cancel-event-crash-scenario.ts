import { expect } from 'vitest';
import { handle as handleScan } from '../../../functions/api/events/record-scan.ts';
import { handle as handleRetrieveJob } from '../../../functions/api/jobs/retrieve-job.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelEventJobId } from '../../../shared/domain/jobs/job.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { retrieveJob } from '../../../shared/operations/jobs/retrieve-job.ts';
import { chargesOf, checkOutWith, checkoutDepsOf, givenBasket, givenTerrace, ticketsOf } from '../baskets.ts';
import { callHandler } from '../call-handler.ts';
import { cancelWith, finishJob, runDueJobs } from '../jobs.ts';
import { expectEntries } from '../journal.ts';
import { crashingDeps } from './crashing-deps.ts';
import { eventsOf } from './refund-crash-scenario.ts';

interface CancelCrash {
  readonly table: Table;
  readonly orgId: string;
  readonly refund: 'all' | 'none';
  readonly crashes: { readonly at: number; readonly when: 'before' | 'after' };
}

/**
 * Cancels an event with three orders in a process that crashes at one of its calls: those of cancel-event, or those of its worker.
 * The client repeats the request, and the worker runs again. Returns whether the process crashed.
 */
export async function runCancelCrash({ table, orgId, refund, crashes }: CancelCrash): Promise<boolean> {
  const { event, junior, pool } = await givenTerrace(table, orgId, { capacity: 13, juniors: 10 });
  const { eventId } = event;
  const deps = checkoutDepsOf(table, orgId);
  const orderIds: number[] = [];
  for (let order = 0; order < 3; order += 1) {
    const { basketId } = await givenBasket(deps, junior, 2);
    await checkOutWith(deps, basketId);
    orderIds.push(basketId);
  }
  deps.nowUnix += 5;
  const { crashPoint, crashing } = await crashingDeps(deps, crashes);
  const work = async () => {
    await cancelWith(crashing, eventId, refund);
    deps.nowUnix += 60;
    await runDueJobs(crashing);
    return 'ended';
  };
  const answered = await crashPoint.resultOf(work());
  const about = JSON.stringify({ refund, crashes });
  await expectOneState({ table, orgId, eventId, orderId: orderIds[0] ?? 0, nowMs: deps.nowUnix * 1000, about });
  deps.nowUnix += 120;
  expect(await cancelWith(deps, eventId, refund), about).toMatchObject({ outcome: 'cancelled' });
  const counts = { status: 'done', total: 3, done: 3, failed: 0, failures: [] };
  expect(await finishJob(deps, eventId), about).toMatchObject(counts);

  expect(await readEvent(table, orgId, eventId)).toMatchObject({ statusId: 3, cancelledUnix: expect.any(Number) });
  const [status, refundedMinor] = refund === 'all' ? ['refunded', 6_430] : ['cancelled', 0];
  for (const orderId of orderIds) {
    expect((await readOrderWithTickets(table, orgId, orderId))?.order.status, about).toBe(status);
    await expectEntries(deps, orderId, refund === 'all' ? ['sale', 'refund'] : ['sale'], about);
  }
  expect(await chargesOf(deps), about).toMatchObject(orderIds.map(() => ({ status: 'paid', refundedMinor })));
  expect(await ticketsOf(deps, junior, []), about).toMatchObject({ available: 10, sold: 0 });
  expect(await ticketsOf(deps, pool, []), about).toMatchObject({ available: 13, sold: 0 });
  const types = (await eventsOf(deps)).map(({ type }) => type).sort();
  const ended = refund === 'all' ? 'order.refunded' : 'order.cancelled';
  expect(types, about).toEqual(['event.cancelled', ...orderIds.flatMap(() => ['order.completed', ended])].sort());
  await expectOneState({ table, orgId, eventId, orderId: orderIds[0] ?? 0, nowMs: deps.nowUnix * 1000, about });
  return answered === undefined;
}

interface ObservedEvent {
  readonly table: Table;
  readonly orgId: string;
  readonly eventId: number;
  readonly orderId: number;
  readonly nowMs: number;
  readonly about: string;
}

/** Whatever crashed: an event is cancelled for its gates and has its job, or neither. */
async function expectOneState({ table, orgId, eventId, orderId, nowMs, about }: ObservedEvent): Promise<void> {
  const event = await readEvent(table, orgId, eventId, { consistent: true });
  const barcode = (await readOrderWithTickets(table, orgId, orderId))?.tickets[0]?.barcode;
  const scan = { params: { event_id: String(eventId) }, body: { barcode, simulate: true } };
  const scanned = () => callHandler(recordScan, handleScan, scan, { table, orgId, nowMs });
  const job = { params: { job_id: cancelEventJobId(eventId) } };
  const read = () => callHandler(retrieveJob, handleRetrieveJob, job, { table, orgId });
  if (event?.cancelledUnix === null) {
    await expect(scanned(), about).resolves.toMatchObject({ result: 'ok' });
    await expect(read(), about).rejects.toMatchObject({ status: 404 });
  } else {
    await expect(scanned(), about).rejects.toMatchObject({ status: 409, code: 'event_not_open' });
    await expect(read(), about).resolves.toMatchObject({ job_id: cancelEventJobId(eventId) });
  }
}
