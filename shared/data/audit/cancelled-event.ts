import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { cancelEventJobId } from '../../domain/jobs/job.ts';
import { isSold, orderSortKey } from '../../domain/orders/order.ts';
import { countOrders } from '../counters/sales.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readEvent } from '../events/read.ts';
import { readJob } from '../jobs/jobs.ts';
import { ordersAfter } from '../orders/orders-after.ts';
import { readOrderWithTickets } from '../orders/read.ts';
import { eventKey, jobKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * Compares a cancelled event with its job, and a job that has ended with the orders: it worked on all of them, and those whose tickets
 * are still valid are those that it reports as failed. The counters of the orders are compared with their rows elsewhere.
 */
export async function auditCancelledEvent(table: Table, event: CountedEvent): Promise<readonly Finding[]> {
  const { orgId, eventId } = event;
  const jobId = cancelEventJobId(eventId);
  const [found, job] = await Promise.all([
    readEvent(table, orgId, eventId, { consistent: true }),
    readJob(table, orgId, jobId),
  ]);
  const isCancelled = found !== undefined && found.cancelledUnix !== null;
  const finding = (problem: string): Finding => {
    const key = job === undefined ? eventKey(orgId, eventId) : jobKey(orgId, jobId);
    return { check: 'jobs', row: nameRow(key), problem };
  };
  if (isCancelled !== (job !== undefined)) {
    return [finding(isCancelled ? 'The event is cancelled without a job.' : 'Its event is not cancelled.')];
  }
  if (job === undefined || job.status === 'running') return [];
  const [orders, pending, confirmed] = await Promise.all([
    countOrders(table, event),
    countOrders(table, event, 'pending'),
    countOrders(table, event, 'confirmed'),
  ]);
  const missed = job.total - orders;
  const valid = pending + confirmed - job.failed;
  const areTicketsLeft = valid > 0 && (await haveMoreSoldTickets(table, event, job.failed));
  return [
    ...(missed > 0 ? [finding(`It worked on ${missed} orders more than the event has.`)] : []),
    ...(areTicketsLeft ? [finding(`${valid} orders of the event are valid that it does not report as failed.`)] : []),
  ];
}

const pageSize = 500;

/**
 * Whether more orders have sold tickets than the job reports as failed. An order with a membership stays valid without its tickets, so the
 * counters of the orders are not enough.
 */
async function haveMoreSoldTickets(table: Table, { orgId, eventId }: CountedEvent, failed: number): Promise<boolean> {
  let found = 0;
  let page = await ordersAfter(table, { orgId, eventId }, '', pageSize);
  while (page.length > 0) {
    for (const { orderId } of page.filter(({ status }) => status === 'pending' || status === 'confirmed')) {
      const placed = await readOrderWithTickets(table, orgId, orderId);
      if (placed?.tickets.some(isSold)) found += 1;
      if (found > failed) return true;
    }
    const last = page.at(-1);
    page = last === undefined ? [] : await ordersAfter(table, { orgId, eventId }, orderSortKey(last), pageSize);
  }
  return false;
}
