import { beforeAll, describe, expect, it } from 'vitest';
import { moveJob } from '../../../shared/data/jobs/jobs.ts';
import { type Table, transactionMs } from '../../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { workers } from '../../../shared/workers/registry.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { cancelWith, finishJob, givenSoldEvent, jobOf, runDueJobs, statusesOf } from '../../support/jobs.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('run-jobs', () => {
  it('a refund that the provider refuses is in the report, and is not tried again', async () => {
    const { event, deps, orderIds } = await givenSoldEvent(table, 'org_refused', [
      'pm_card_visa',
      'pm_card_refundFail',
    ]);
    await cancelWith(deps, event.eventId, 'all');
    expect(await finishJob(deps, event.eventId)).toMatchObject({
      status: 'done',
      total: 2,
      done: 1,
      failed: 1,
      failures: [{ orderId: orderIds[1], code: 'refund_refused' }],
    });
    const types = (await eventsOf(deps)).map(({ type }) => type);
    expect(types.filter((type) => type === 'order.refund_failed')).toHaveLength(1);
  });

  it('a job waits for a provider that does not answer, and reports the order after an hour', async () => {
    let isDown = true;
    const around = (provider: PaymentProvider): PaymentProvider => ({
      ...provider,
      refund: (...asked) => (isDown ? Promise.reject(new Error('down')) : provider.refund(...asked)),
    });
    const { event, deps, orderIds } = await givenSoldEvent(table, 'org_down', ['pm_card_visa', 'pm_card_visa'], around);
    await cancelWith(deps, event.eventId, 'all');
    deps.nowUnix += 60;
    await runDueJobs(deps);
    expect(await jobOf(deps, event.eventId)).toMatchObject({ status: 'running', done: 0, failed: 0 });
    deps.nowUnix += 3_600;
    await runDueJobs(deps);
    expect(await jobOf(deps, event.eventId)).toMatchObject({ status: 'failed', done: 0, failed: 2 });
    isDown = false;
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    expect(await statusesOf(deps, orderIds)).toEqual(['refunded', 'refunded']);
  });

  it('a run that the cancellation of an event begins waits for its orders, and ends the job', async () => {
    const { event, deps, orderIds } = await givenSoldEvent(table, 'org_soon', ['pm_card_visa', 'pm_card_visa']);
    const cancelledUnix = deps.nowUnix;
    await cancelWith(deps, event.eventId, 'all');
    // As long as the event takes on the bus.
    deps.nowUnix += 3;
    await runDueJobs(deps, undefined, async () => {
      deps.nowUnix += 1;
    });
    expect(await jobOf(deps, event.eventId)).toMatchObject({ status: 'done', total: 2, done: 2 });
    expect(await statusesOf(deps, orderIds)).toEqual(['refunded', 'refunded']);
    // A checkout that has read the event before needs so long at most.
    expect(deps.nowUnix - cancelledUnix).toBeGreaterThan((2 * transactionMs) / 1000);
    expect(deps.nowUnix - cancelledUnix).toBeLessThan(20);
    const worker = workers.find(({ id }) => id === 'run-jobs');
    expect(worker?.source).toMatchObject({ after: expect.arrayContaining(['event.cancelled']) });
  });

  it('a run does not wait for a job that is due much later, such as one that another run works on', async () => {
    const { event, deps } = await givenSoldEvent(table, 'org_later', ['pm_card_visa']);
    await cancelWith(deps, event.eventId, 'all');
    const job = await jobOf(deps, event.eventId);
    await moveJob(table, 'org_later', job, { ...job, dueUnix: deps.nowUnix + 120 });
    let waits = 0;
    await runDueJobs(deps, undefined, async () => {
      waits += 1;
    });
    expect(waits).toBe(0);
    expect(await jobOf(deps, event.eventId)).toMatchObject({ status: 'running', done: 0 });
  });

  it('a run of the worker whose time is over leaves the rest to the next one', async () => {
    const { event, deps } = await givenSoldEvent(table, 'org_time', ['pm_card_visa', 'pm_card_visa', 'pm_card_visa']);
    await cancelWith(deps, event.eventId, 'all');
    let looks = 0;
    deps.nowUnix += 60;
    await runDueJobs(deps, () => looks++ < 3);
    const { status, done } = await jobOf(deps, event.eventId);
    expect(status).toBe('running');
    expect(done).toBeLessThan(3);
    expect(await finishJob(deps, event.eventId)).toMatchObject({ total: 3, done: 3 });
  });

  it('audit finds an order that is valid although the job of its event has ended', async () => {
    const { event, deps, orderIds } = await givenSoldEvent(table, 'org_valid', ['pm_card_visa', 'pm_card_refundFail']);
    await givenOrganisation(table, 'org_valid');
    await cancelWith(deps, event.eventId, 'all');
    const job = await finishJob(deps, event.eventId);
    expect(await findingsOf(table, 'org_valid')).toEqual([]);
    await moveJob(table, 'org_valid', job, { ...job, done: 3, failed: 0, total: 3 });
    expect((await findingsOf(table, 'org_valid')).map(({ check, problem }) => [check, problem])).toEqual([
      ['jobs', 'It worked on 1 orders more than the event has.'],
      ['jobs', '1 orders of the event are valid that it does not report as failed.'],
    ]);
    expect(orderIds).toHaveLength(2);
  });
});
