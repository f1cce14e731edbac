import { readBasket } from '../../data/baskets/baskets.ts';
import type { JobStep } from '../../data/jobs/run.ts';
import { ordersAfter } from '../../data/orders/orders-after.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { pendingRefund } from '../../domain/baskets/refunds.ts';
import type { CancelEventTask, JobFailure, JobFailureCode, JobRecord } from '../../domain/jobs/job.ts';
import { majorUnits } from '../../domain/money.ts';
import { isRefundable, type OrderRecord, orderSortKey } from '../../domain/orders/order.ts';
import { invoiceOutstandingMinor } from '../../domain/orders/tender.ts';
import { ticketCostMinor } from '../../domain/orders/ticket-money.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { Fault } from '../../platform/fault.ts';
import { log } from '../../platform/log.ts';
import { WorkList } from '../../platform/work-list.ts';
import { executeRefunds } from '../checkout/sweep-basket.ts';
import type { CheckoutDeps } from '../deps.ts';
import { cancelOrRefundTickets } from '../refunds/cancel-or-refund-tickets.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { serveWaitingList } from '../waiting-list/serve-waiting-list.ts';
import { cancelLongHolds } from './cancel-long-holds.ts';

/** The orders of a step. A process that dies repeats at most so many. */
const pageSize = 50;
/** How many orders are worked on at once. */
const concurrency = 10;
/** An order that cannot be worked on delays the others for this long. Then it is reported, and the job goes on. */
const patienceSeconds = 3_600;

export interface CancelEventDeps extends CheckoutDeps {
  readonly hasTime: () => boolean;
  /** Waits until the next refund may begin. Refunds and the checkouts of a sale share the rate that the provider allows. */
  readonly pace: () => Promise<void>;
}

type CancelEventJob = JobRecord<CancelEventTask>;

/**
 * Refunds or cancels the next orders of a cancelled event, and at last the baskets that are kept for days. What is refunded already
 * stays as it is. What was cancelled before is refunded too, as refund-order does: its money was kept.
 */
export async function cancelNextOrders(deps: CancelEventDeps, job: CancelEventJob): Promise<JobStep> {
  const { table, orgId, clock, hasTime } = deps;
  const orders = await ordersAfter(table, { orgId, eventId: job.task.eventId }, job.cursor, pageSize);
  const isPatient = unixSeconds(clock) - job.movedUnix < patienceSeconds;
  if (orders.length === 0) {
    const areEnded = await cancelLongHolds(deps, job.task.eventId);
    // After the offers: nobody waits any more. What is left, the list's own hint ends.
    await serveWaitingList(deps, { orgId, eventId: job.task.eventId });
    return { outcome: areEnded || !isPatient ? 'complete' : 'waiting' };
  }
  const results = new Map<OrderRecord, OrderResult>();
  const work = new WorkList<OrderRecord>(concurrency, hasTime, async (order) => {
    results.set(order, await endOrderSafely(deps, job, order));
  });
  for (const order of orders) work.add(order);
  await work.settled();
  const isEnded = (order: OrderRecord): boolean => {
    const result = results.get(order);
    return result !== undefined && (result === 'ended' || result === 'refund_refused' || !isPatient);
  };
  // The cursor stops before the first order that has to be looked at again.
  const firstLeft = orders.findIndex((order) => !isEnded(order));
  const passed = firstLeft === -1 ? orders : orders.slice(0, firstLeft);
  const last = passed.at(-1);
  if (last === undefined) return { outcome: 'waiting' };
  const failures = passed.flatMap((order): JobFailure[] => {
    const result = results.get(order) ?? 'ended';
    return result === 'ended' ? [] : [{ orderId: order.orderId, code: result }];
  });
  return { outcome: 'page', page: { cursor: orderSortKey(last), done: passed.length - failures.length, failures } };
}

type OrderResult = 'ended' | JobFailureCode;

async function endOrderSafely(deps: CancelEventDeps, job: CancelEventJob, order: OrderRecord): Promise<OrderResult> {
  try {
    return await endOrder(deps, job, order);
  } catch (error) {
    const about = { org_id: deps.orgId, order_id: order.orderId, job_id: job.jobId };
    log.error('An order of a cancelled event could not be changed', { ...about, ...reasonOf(error) });
    return 'not_changed';
  }
}

async function endOrder(deps: CancelEventDeps, job: CancelEventJob, order: OrderRecord): Promise<OrderResult> {
  const { orderId, status } = order;
  if (status === 'refunded') return 'ended';
  return job.task.refund === 'none' ? cancelWhole(deps, job, orderId) : refundWhole(deps, job, orderId);
}

/**
 * Cancels the tickets of an order and keeps the money: it was paid before the event was cancelled, in whatever second. Whoever was still
 * paying then has an order that was made with its refund, which is executed first.
 */
async function cancelWhole(
  deps: CancelEventDeps,
  { createdUnix }: CancelEventJob,
  orderId: number,
): Promise<OrderResult> {
  const { table, orgId, pace } = deps;
  const basket = await readBasket(table, orgId, orderId);
  if (basket !== undefined && pendingRefund(basket) !== undefined) {
    await pace();
    if ((await executeRefunds(deps, orderId)) !== undefined) return 'refund_pending';
  }
  await writeOffOwed(deps, orderId);
  const changed = await cancelOrRefundTickets(deps, orderId, { tickets: 'all', to: 'cancelled' });
  if (changed.outcome === 'refused') throw new Fault(`The stock of the order ${orderId} is missing.`);
  return isRefused(await readBasket(table, orgId, orderId), createdUnix) ? 'refund_refused' : 'ended';
}

/**
 * Writes off what is owed of an invoice, ticket by ticket: nobody owes anything for an event that does not take place. Of the ticket that
 * was paid for in part, what was paid is kept.
 */
async function writeOffOwed(deps: CancelEventDeps, orderId: number): Promise<void> {
  const placed = await readOrderWithTickets(deps.table, deps.orgId, orderId);
  if (placed === undefined) return;
  const { order, tickets } = placed;
  let owedMinor = invoiceOutstandingMinor(order);
  for (const ticket of tickets.filter(isRefundable)) {
    if (owedMinor === 0) return;
    const keptMinor = Math.max(0, ticketCostMinor(ticket) - owedMinor);
    const keep = majorUnits(keptMinor, order.currency);
    const request = { orderId, tickets: [ticket.ticketId], reason: null, keep, isExecutedByCaller: true } as const;
    const requested = await requestRefund(deps, request, () => []);
    if (requested.outcome !== 'recorded') throw new Fault(`The debt of the order ${orderId}: ${requested.outcome}.`);
    owedMinor = invoiceOutstandingMinor(requested.order);
  }
}

/** Refunds an order as refund-order does, and executes the refund at once. A refund that was refused is not tried again. */
async function refundWhole(
  deps: CancelEventDeps,
  { task, createdUnix }: CancelEventJob,
  orderId: number,
): Promise<OrderResult> {
  const { table, orgId, pace } = deps;
  const wasRefused = async () => isRefused(await readBasket(table, orgId, orderId), createdUnix);
  if (await wasRefused()) return 'refund_refused';
  await pace();
  const request = {
    orderId,
    tickets: 'all',
    reason: task.reason,
    returnedBy: 'later',
    isExecutedByCaller: true,
  } as const;
  const requested = await requestRefund(deps, request, () => []);
  if (requested.outcome === 'missing') throw new Fault(`The order ${orderId} is missing.`);
  const againUnix = await executeRefunds(deps, orderId);
  if (againUnix !== undefined) return 'refund_pending';
  return (await wasRefused()) ? 'refund_refused' : 'ended';
}

function isRefused(basket: Basket | undefined, sinceUnix: number): boolean {
  return basket?.refunds.some(({ state, startedUnix }) => state === 'refused' && startedUnix >= sinceUnix) ?? false;
}
