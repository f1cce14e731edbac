import '../../support/streaming-runtime.ts';

import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleList } from '../../../functions/api/events/list-event-tickets.ts';
import { handle as handleScan } from '../../../functions/api/events/record-scan.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listEventTickets } from '../../../shared/operations/events/list-event-tickets.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { rowsOf } from '../../support/fields-of.ts';
import { cancelWith, finishJob, givenSoldEvent } from '../../support/jobs.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the gates of a cancelled event', () => {
  it('record-scan of a cancelled event is refused, and list-event-tickets shows every ticket as cancelled', async () => {
    const orgId = 'org_gates';
    const { event, deps, orderIds } = await givenSoldEvent(table, orgId, ['pm_card_visa']);
    const placed = await readOrderWithTickets(table, orgId, orderIds[0] ?? 0);
    const params = { event_id: String(event.eventId) };
    const scan = () => {
      const body = { barcode: placed?.tickets[0]?.barcode, simulate: true };
      return callHandler(recordScan, handleScan, { params, body }, { table, orgId, nowMs: deps.nowUnix * 1000 });
    };
    const list = (query: object = {}) =>
      callHandler(listEventTickets, handleList, { params, query: { ...query } }, { table, orgId });
    expect(await scan()).toMatchObject({ result: 'ok' });
    const since = { updated_since: deps.nowUnix };
    expect(await list(since)).toMatchObject({ data: [] });
    deps.nowUnix += 5;
    await cancelWith(deps, event.eventId, 'all');
    await expect(scan()).rejects.toMatchObject({ code: 'event_not_open', status: 409 });
    const cancelled = { ticket_status_id: 2, updated_at: deps.nowUnix };
    expect(await list(since)).toMatchObject({ data: [cancelled, cancelled] });
    expect(await list({ updated_since: deps.nowUnix })).toMatchObject({ data: [] });
    await finishJob(deps, event.eventId);
    expect(await list()).toMatchObject({ data: [{ ticket_status_id: 3 }, { ticket_status_id: 3 }] });
  });

  it('list-event-tickets says who must hear of the cancellation, before and after its job: not whoever was refunded before', async () => {
    const orgId = 'org_told';
    const { event, deps, orderIds } = await givenSoldEvent(table, orgId, ['pm_card_visa']);
    const orderId = orderIds[0] ?? 0;
    const [before, told] = [orderId + 1, orderId + 2];
    await cancelOrRefundTickets(deps, orderId, { tickets: [before], to: 'refunded' });
    deps.nowUnix += 5;
    const toNotify = async () => {
      const input = { params: { event_id: String(event.eventId) }, query: { addresses: true } };
      const { data } = await callHandler(listEventTickets, handleList, input, { table, orgId });
      return rowsOf(data).map(({ ticket_id, to_notify, holder_email }) => [ticket_id, to_notify, holder_email]);
    };
    const expected = [
      [before, false, 'ada@example.com'],
      [told, true, 'ada@example.com'],
    ];
    expect(await toNotify()).toEqual(expected);
    await cancelWith(deps, event.eventId, 'all');
    expect(await toNotify()).toEqual(expected);
    await finishJob(deps, event.eventId);
    expect(await toNotify()).toEqual(expected);
  });
});
