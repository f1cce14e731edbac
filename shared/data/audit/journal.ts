import { addTo, differences, type Finding, nameRow } from '../../domain/audit/finding.ts';
import { imbalanceMinor, type JournalEntry, moneyMinor } from '../../domain/journal/entry.ts';
import { netMinor } from '../../domain/journal/settlement.ts';
import { sumOf } from '../../domain/money.ts';
import { isRefundable, isSold, type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import { awaitedWriteOffMinor, invoiceOutstandingMinor, receivedPayments } from '../../domain/orders/tender.ts';
import { ticketCostMinor } from '../../domain/orders/ticket-money.ts';
import { salesShards } from '../counters/sales-shards.ts';
import { settlementOf } from '../counters/settlement.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { entriesOfOrder } from '../journal/read.ts';
import { orderKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { BucketTotals } from './counters.ts';

/** The name of what the journal says about an event, among what is counted in tickets. */
const bucket = 'journal 0';

/**
 * Compares the entries of orders with what was paid and not refunded: every entry adds up to 0, and all of them are the money
 * that is left. Adds to `counted` what the entries and the tickets say about the settlement of the event.
 */
export async function auditJournal(
  table: Table,
  { orgId, eventId }: CountedEvent,
  orders: readonly OrderWithTickets[],
  counted: Map<string, number>,
): Promise<Finding[]> {
  const booked = orders.filter(({ order }) => order.isBooked);
  const findings = booked.map(async (placed): Promise<Finding[]> => {
    const entries = await entriesOfOrder(table, orgId, placed.order.orderId);
    for (const entry of entries) countEntry(counted, entry, eventId);
    countTickets(counted, placed);
    const row = nameRow(orderKey(orgId, eventId, orderSortKey(placed.order)));
    return problemsOf(placed, entries).map((problem) => ({ check: 'journal', row, problem }));
  });
  return (await Promise.all(findings)).flat();
}

function problemsOf({ order }: OrderWithTickets, entries: readonly JournalEntry[]): string[] {
  const unbalanced = entries.filter((entry) => imbalanceMinor(entry) !== 0);
  const leftMinor = order.totalMinor - order.refundedMinor - (order.writtenOffMinor ?? 0);
  const difference = sumOf(entries.map(moneyMinor)) - leftMinor;
  const owed =
    sumOf(entries.map(({ money }) => money.receivable ?? 0)) -
    invoiceOutstandingMinor(order) -
    awaitedWriteOffMinor(order);
  const receivedMinor = sumOf(receivedPayments(order).map(({ amountMinor }) => amountMinor));
  return [
    ...unbalanced.map(({ entryId }) => `Its entry ${entryId} does not add up to 0.`),
    ...(difference === 0 ? [] : [`Its entries differ from what was paid and not refunded: ${difference}.`]),
    // What is owed of memberships is compared with their plans.
    ...(order.tender === undefined || owed === 0
      ? []
      : [`Its receivable differs from what is owed of the invoice: ${owed}.`]),
    ...(order.tender === undefined || order.refundedMinor <= receivedMinor
      ? []
      : [`More was returned than the counter has received: ${order.refundedMinor - receivedMinor}.`]),
  ];
}

function countEntry(
  counted: Map<string, number>,
  { prices, transactionFeeMinor }: JournalEntry,
  eventId: number,
): void {
  for (const price of prices) {
    const { netMinor: net, serviceFeeMinor, serviceTaxMinor, taxMinor } = price;
    const index = price.priceId - eventId;
    addTo(counted, {
      [`${bucket} net${index}`]: net + serviceFeeMinor + serviceTaxMinor,
      [`${bucket} tax${index}`]: taxMinor,
    });
  }
  addTo(counted, { [`${bucket} net0`]: transactionFeeMinor });
}

function countTickets(counted: Map<string, number>, { tickets }: OrderWithTickets): void {
  for (const ticket of tickets) {
    const isKept = !isSold(ticket) && isRefundable(ticket);
    addTo(counted, {
      [`${bucket} tickets${ticket.priceIndex}`]: isSold(ticket) ? 1 : 0,
      [`${bucket} kept${ticket.priceIndex}`]: isKept ? ticketCostMinor(ticket) : 0,
      [`${bucket} withheld${ticket.priceIndex}`]: ticket.keptMinor ?? 0,
    });
  }
}

/** Compares the settlement of an event, as its counters have it, with its journal and its tickets. */
export function compareSettlement(event: CountedEvent, stored: BucketTotals, inRows: BucketTotals): Finding[] {
  const settled = new Map<string, number>();
  for (const [name, counts] of stored) {
    if (!name.startsWith('span ')) continue;
    for (const [index, one] of settlementOf(Object.fromEntries(counts))) {
      addTo(settled, {
        [`net${index}`]: netMinor(one),
        [`tax${index}`]: one.taxMinor,
        [`tickets${index}`]: one.tickets,
        [`kept${index}`]: one.keptMinor,
        [`withheld${index}`]: one.withheldMinor,
      });
    }
  }
  const nonZero = (counts: ReadonlyMap<string, number>) => new Map([...counts].filter(([, count]) => count !== 0));
  const problem = differences(nonZero(settled), nonZero(inRows.get(bucket) ?? new Map()));
  const row = nameRow(salesShards.keyOf(event, { size: 'span', start: 0 }, 0));
  return problem === undefined ? [] : [{ check: 'journal', row, problem }];
}
