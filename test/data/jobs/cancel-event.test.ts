import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCancel } from '../../../functions/api/catalogue/cancel-event.ts';
import { handle as handleRetrieveEvent } from '../../../functions/api/events/retrieve-event.ts';
import { handle as handleRetrieve } from '../../../functions/api/jobs/retrieve-job.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { saveEvent } from '../../../shared/data/events/save.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Scope } from '../../../shared/domain/auth/scopes.ts';
import { cancelEvent } from '../../../shared/operations/catalogue/cancel-event.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';
import { retrieveJob } from '../../../shared/operations/jobs/retrieve-job.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { claimBasket } from '../../../shared/sales/checkout/claim.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  ada,
  addItem,
  chargesOf,
  checkOutWith,
  checkoutDepsOf,
  decideInSandbox,
  givenBasket,
  givenOnSale,
  prepareWith,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { cancelWith, finishJob, givenSoldEvent, statusesOf } from '../../support/jobs.ts';
import { expectEntries } from '../../support/journal.ts';
import { givenMembershipBasket, givenType } from '../../support/memberships.ts';
import { createTestTable, openTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const both: readonly Scope[] = ['catalogue:write', 'orders:write'];

/** An event with one price and paid orders, and the calls of a client. */
async function givenSale(orgId: string, cards: readonly string[]) {
  const sold = await givenSoldEvent(table, orgId, cards);
  const { event, deps } = sold;
  const cancel = (body: object, scopes = both) =>
    callHandler(
      cancelEvent,
      handleCancel,
      { params: { event_id: String(event.eventId) }, body: { ...body } },
      { table, orgId, scopes, nowMs: deps.nowUnix * 1000 },
    );
  const retrieve = (jobId: unknown) =>
    callHandler(retrieveJob, handleRetrieve, { params: { job_id: jobId } }, { table, orgId });
  return { ...sold, cancel, retrieve };
}

describe('cancel-event', () => {
  it('cancel-event closes the event, answers a job, and refunds every order once', async () => {
    await givenOrganisation(table, 'org_all');
    const { event, price, deps, orderIds, cancel, retrieve } = await givenSale('org_all', [
      'pm_card_visa',
      'pm_card_visa',
    ]);
    const begun = await cancel({ refund: 'all', reason: 'Storm' });
    expect(begun).toMatchObject({ kind: 'cancel-event', status: 'running', total: 2, done: 0, finished: null });
    expect(await readEvent(table, 'org_all', event.eventId)).toMatchObject({
      statusId: 3,
      cancelledUnix: deps.nowUnix,
    });
    expect(
      await callHandler(
        retrieveEvent,
        handleRetrieveEvent,
        { params: { event_id: String(event.eventId) } },
        { table, orgId: 'org_all' },
      ),
    ).toMatchObject({ event_status_id: '3', cancelled_unix: deps.nowUnix, cancel_job_id: begun.job_id });
    expect(await statusesOf(deps, orderIds)).toEqual(['confirmed', 'confirmed']);
    await finishJob(deps, event.eventId);
    expect(await retrieve(begun.job_id)).toMatchObject({
      status: 'done',
      total: 2,
      done: 2,
      failed: 0,
      finished: deps.nowUnix,
      report: { failures: [], failures_omitted: 0 },
    });
    expect(await statusesOf(deps, orderIds)).toEqual(['refunded', 'refunded']);
    for (const orderId of orderIds) await expectEntries(deps, orderId, ['sale', 'refund']);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 6_430 }, { refundedMinor: 6_430 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 100, sold: 0 });
    expect(await findingsOf(table, 'org_all')).toEqual([]);
    const events = await eventsOf(deps);
    expect(events.map(({ type }) => type)).toEqual([
      'order.completed',
      'order.completed',
      'event.cancelled',
      'order.refunded',
      'order.refunded',
    ]);
    expect(v.parse(webhookEvents['event.cancelled'], events[2]).data).toMatchObject({
      event: { event_id: String(event.eventId), event_status_id: '3', cancel_job_id: begun.job_id },
      refund: 'all',
      reason: 'Storm',
      job_id: begun.job_id,
    });
    expect(events[3].data.refund).toMatchObject({ reason: 'Storm', status: 'succeeded' });
  });

  it('cancel-event with refund none cancels the tickets and leaves the money', async () => {
    await givenOrganisation(table, 'org_none');
    const { event, deps, orderIds, cancel } = await givenSale('org_none', ['pm_card_visa']);
    await cancel({ refund: 'none' }, ['catalogue:write']);
    expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', done: 1 });
    expect(await statusesOf(deps, orderIds)).toEqual(['cancelled']);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
  });

  it('cancel-event with refund all returns what was kept of an order that was cancelled before, once', async () => {
    await givenOrganisation(table, 'org_kept');
    const { event, deps, orderIds, cancel } = await givenSale('org_kept', ['pm_card_visa']);
    await cancelOrRefundTickets(deps, orderIds[0] ?? 0, { tickets: 'all', to: 'cancelled' });
    await cancel({ refund: 'all' });
    expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', done: 1 });
    expect(await statusesOf(deps, orderIds)).toEqual(['refunded']);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 6_430 }]);
    expect(await findingsOf(table, 'org_kept')).toEqual([]);
  });

  it('cancel-event with refund none leaves the money of orders of the same second, too', async () => {
    await givenOrganisation(table, 'org_second');
    const { event, deps, orderIds, cancel } = await givenSale('org_second', ['pm_card_visa']);
    deps.nowUnix -= 5;
    await cancel({ refund: 'none' }, ['catalogue:write']);
    expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', done: 1 });
    expect(await statusesOf(deps, orderIds)).toEqual(['cancelled']);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
    expect((await eventsOf(deps)).map(({ type }) => type)).not.toContain('order.refunded');
  });

  it('cancel-event repeated answers the same job, also at the same time and after its end', async () => {
    await givenOrganisation(table, 'org_twice');
    const { event, deps, cancel } = await givenSale('org_twice', ['pm_card_visa']);
    const [first, second] = await Promise.all([cancel({ refund: 'all' }), cancel({ refund: 'all' })]);
    expect(second).toEqual(first);
    await finishJob(deps, event.eventId);
    expect(await cancel({ refund: 'all' })).toMatchObject({ job_id: first.job_id, status: 'done' });
    await expect(cancel({ refund: 'none' })).rejects.toMatchObject({ code: 'event_already_cancelled' });
    const types = (await eventsOf(deps)).map(({ type }) => type);
    expect(types).toEqual(['order.completed', 'event.cancelled', 'order.refunded']);
  });

  it('cancel-event with refund all needs the scope orders:write too', async () => {
    await givenOrganisation(table, 'org_scope');
    const { event, cancel } = await givenSale('org_scope', []);
    await expect(cancel({ refund: 'all' }, ['catalogue:write'])).rejects.toMatchObject({ code: 'scope_missing' });
    expect(await readEvent(table, 'org_scope', event.eventId)).toMatchObject({ statusId: 1, cancelledUnix: null });
  });

  it('a cancelled event sells nothing, and an import does not open it again', async () => {
    const { event, price, deps } = await givenSale('org_closed', []);
    const { basketId } = await givenBasket(deps, price);
    await cancelWith(deps, event.eventId, 'all');
    const off = { outcome: 'refused', refusal: { reason: 'event_not_on_sale', because: 'cancelled' } };
    expect(await addItem(deps, basketId, price)).toMatchObject(off);
    expect(await checkOutWith(deps, basketId)).toMatchObject(off);
    expect(await prepareWith(deps, basketId)).toMatchObject(off);
    expect(await chargesOf(deps)).toEqual([]);
    const { eventId: _, soldOut: __, cancelledUnix: ___, version: ____, ...draft } = event;
    await saveEvent(table, deps.orgId, { ...draft, title: 'Moved', statusId: 1 });
    expect(await readEvent(table, deps.orgId, event.eventId)).toMatchObject({ title: 'Moved', statusId: 3 });
    deps.nowUnix += 900;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 100, sold: 0 });
  });

  it('an event that is deleted while it is cancelled stays deleted, and has no job', async () => {
    const { event, deps } = await givenSale('org_deleted', []);
    const { eventId: _, soldOut: __, cancelledUnix: ___, version: ____, ...draft } = event;
    const slow = openTestTable(table.name);
    let isDeleted = false;
    slow.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand' && !isDeleted) {
            isDeleted = true;
            await saveEvent(table, deps.orgId, { ...draft, statusId: 2 });
          }
          return next(args);
        },
      { step: 'initialize', priority: 'high' },
    );
    expect(await cancelWith({ ...deps, table: slow }, event.eventId, 'all')).toEqual({ outcome: 'deleted' });
    expect(await readEvent(table, deps.orgId, event.eventId)).toMatchObject({ statusId: 2, cancelledUnix: null });
  });

  it('a buyer who pays after the cancellation gets the order and its refund in one transaction', async () => {
    const { event, price, deps } = await givenSale('org_paying', []);
    const { basketId } = await givenBasket(deps, price, 2);
    await prepareWith(deps, basketId);
    await cancelWith(deps, event.eventId, 'none');
    await decideInSandbox(deps, basketId, 'approve');
    const result = await checkOutWith(deps, basketId, { paymentMethod: null });
    expect(result).toMatchObject({ outcome: 'confirmed', placed: { order: { status: 'confirmed' } } });
    expect((await readBasket(table, deps.orgId, basketId))?.refunds).toMatchObject([
      { state: 'pending', amountMinor: 6_430, reason: 'The event was cancelled.' },
    ]);
    await sweepBaskets(deps);
    expect(await statusesOf(deps, [basketId])).toEqual(['refunded']);
    await expectEntries(deps, basketId, ['sale', 'refund']);
    expect(await finishJob(deps, event.eventId)).toMatchObject({ total: 1, done: 1, failed: 0 });
  });

  it('a basket with tickets and a membership that is paid after the cancellation: the tickets are refunded, the membership stays', async () => {
    const { event, price, deps } = await givenSale('org_paying_both', []);
    const type = await givenType(table, deps.orgId);
    const basketId = await givenMembershipBasket(deps, type);
    await addItem(deps, basketId, price, 2);
    await prepareWith(deps, basketId);
    await cancelWith(deps, event.eventId, 'all');
    await decideInSandbox(deps, basketId, 'approve');
    await checkOutWith(deps, basketId, { paymentMethod: null });
    await sweepBaskets(deps);
    expect(await finishJob(deps, event.eventId)).toMatchObject({ total: 1, done: 1, failed: 0 });
    expect(await readOrderWithTickets(table, deps.orgId, basketId)).toMatchObject({
      order: { status: 'confirmed', refundedMinor: 6_430 },
      memberships: [{ status: 1 }],
    });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 6_430 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('a free basket of an event that is cancelled during its checkout is released', async () => {
    const { event, price } = await givenOnSale(table, 'org_free', {
      capacity: 5,
      priceMinor: 0,
      rebateMinor: 0,
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
    });
    const deps = checkoutDepsOf(table, 'org_free');
    const { basketId } = await givenBasket(deps, price);
    const claimed = await claimBasket(deps, { basketId, buyer: ada, paymentMethod: null }, 'checkout');
    expect(claimed.outcome).toBe('claimed');
    await cancelWith(deps, event.eventId, 'all');
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 5, sold: 0 });
    expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', total: 0 });
  });
});
