import { parseRefundRequest } from '../../shared/data/orders/refund-requests.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { executeRequestedRefunds } from '../../shared/sales/refunds/execute-requested-refunds.ts';
import { serveWaitingLists } from '../../shared/sales/waiting-list/sweep-waiting-lists.ts';
import { applyPositionsOfRecords } from '../../shared/workers/apply-positions.ts';
import { streamWorkerByKind } from '../../shared/workers/batches.ts';
import { eventsWithClosedStock } from '../../shared/workers/closed-stocks.ts';
import { drawSeatsOfRecords } from '../../shared/workers/draw-seats.ts';
import { followMemberSeatsOfRecords } from '../../shared/workers/follow-member-seats.ts';
import { fillsOrFreesRow } from '../../shared/workers/seat-rows.ts';
import { updateSoldOutOfRecords } from '../../shared/workers/update-sold-out.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The next batch of the shard waits for the refunds of this one, and with it sold_out of its events. */
const refundSeconds = 10;
/** What takes longer is left to sweep-stock. */
const offerSeconds = 10;

export const handler = streamWorkerByKind({
  STK: async (records) => {
    const table = workerTable();
    const lists = { table, clock: systemClock, hasTime: startTimeBudget(offerSeconds) };
    await serveWaitingLists(lists, eventsWithClosedStock(records));
    return updateSoldOutOfRecords(table, records, unixSeconds(systemClock));
  },
  SEA: async (records) => {
    const [table, nowUnix] = [workerTable(), unixSeconds(systemClock)];
    const notDrawn = await drawSeatsOfRecords(table, records, nowUnix);
    return [...notDrawn, ...(await updateSoldOutOfRecords(table, records.filter(fillsOrFreesRow), nowUnix))];
  },
  SEM: (records) => followMemberSeatsOfRecords(workerTable(), records, unixSeconds(systemClock)),
  POS: async (records) => {
    await applyPositionsOfRecords(workerTable(), records);
    return [];
  },
  RFD: async (records) => {
    const table = workerTable();
    const orders = new Set(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? ''));
    const requests = [...orders].flatMap((pk) => parseRefundRequest(pk) ?? []);
    const deps = { table, clock: systemClock, payments: livePayments(table) };
    await executeRequestedRefunds(deps, requests, startTimeBudget(refundSeconds));
    return [];
  },
});
