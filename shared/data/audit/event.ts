import type { Finding } from '../../domain/audit/finding.ts';
import { bucketSeconds } from '../../domain/time/time-buckets.ts';
import type { CountedEvent } from '../counters/shards.ts';
import type { Table } from '../table/table.ts';
import { auditCancelledEvent } from './cancelled-event.ts';
import { confirmed } from './confirm.ts';
import { auditMemberTickets } from './member-tickets.ts';
import { auditOrders, auditSpans, nextOrderDay } from './orders.ts';
import type { EventPosition } from './position.ts';
import { auditScans, nextScanDay } from './scans.ts';
import { auditSeats } from './seats.ts';
import type { StepRun } from './step-run.ts';
import { auditStock } from './stock.ts';
import { auditTicketCounters, auditTickets, ticketsStart } from './tickets.ts';
import { auditWaitingList } from './waiting-list.ts';

export interface EventStep {
  readonly orders: number;
  readonly scans: number;
  readonly findings: readonly Finding[];
  /** The memberships that its orders have taken from the capacity of their types. */
  readonly taken: Readonly<Record<string, number>>;
  /** Undefined when the event is complete. */
  readonly next: EventPosition | undefined;
}

const nothing: EventStep = { orders: 0, scans: 0, findings: [], taken: {}, next: undefined };

/**
 * Audits one day of orders or scans, the tickets of a hundred orders, the limits of fifty owners of members, or the totals of the event. A step is short, so a
 * position can be stored after it.
 */
export async function auditEventStep(
  table: Table,
  event: CountedEvent,
  position: EventPosition,
  { nowUnix, confirmation }: StepRun,
): Promise<EventStep> {
  switch (position.part) {
    case 'orders': {
      const day = await nextOrderDay(table, event, position.from);
      if (day === undefined) return { ...nothing, next: await ticketsStart(table, event) };
      return {
        ...nothing,
        findings: await confirmed(() => auditOrders(table, event, day), confirmation),
        next: { part: 'orders', from: day + bucketSeconds.day },
      };
    }
    case 'tickets': {
      let page = await auditTickets(table, event, position);
      const again = async () => {
        page = await auditTickets(table, event, position);
        return page.findings;
      };
      const findings = page.findings.length === 0 ? [] : await confirmed(again, confirmation);
      const { orders, last, counted, taken } = page;
      if (last !== undefined)
        return { ...nothing, orders, findings, taken, next: { ...position, after: last, counted } };
      const differing = await auditTicketCounters(table, event, { seen: position.seen, counted });
      return { ...nothing, orders, taken, findings: [...findings, ...differing], next: { part: 'scans', from: 0 } };
    }
    case 'scans': {
      const day = await nextScanDay(table, event, position.from);
      if (day === undefined) return { ...nothing, next: memberTicketsStart };
      let scans = 0;
      const look = async () => {
        const audited = await auditScans(table, event, day);
        scans = audited.scans;
        return audited.findings;
      };
      const findings = await confirmed(look, confirmation);
      return { ...nothing, scans, findings, next: { part: 'scans', from: day + bucketSeconds.day } };
    }
    case 'member-tickets': {
      let page = await auditMemberTickets(table, event, position.after);
      const again = async () => {
        page = await auditMemberTickets(table, event, position.after);
        return page.findings;
      };
      const findings = page.findings.length === 0 ? [] : await confirmed(again, confirmation);
      const { next } = page;
      return { ...nothing, findings, next: next === undefined ? { part: 'totals' } : { ...position, after: next } };
    }
    case 'totals': {
      const spans = await confirmed(() => auditSpans(table, event), confirmation);
      const stock = await confirmed(() => auditStock(table, event), confirmation);
      const seats = await confirmed(() => auditSeats(table, event, nowUnix), confirmation);
      const cancelled = await confirmed(() => auditCancelledEvent(table, event), confirmation);
      const waiting = await confirmed(() => auditWaitingList(table, event, nowUnix), confirmation);
      return { ...nothing, findings: [...spans, ...stock, ...seats, ...cancelled, ...waiting] };
    }
  }
}

/** The first sort key of a count is greater than this one. */
const memberTicketsStart = { part: 'member-tickets', after: '0' } as const;

/** The part that follows when a part cannot be read. */
export function partAfter({ part }: EventPosition): EventPosition | undefined {
  const next = {
    orders: { part: 'scans', from: 0 },
    tickets: { part: 'scans', from: 0 },
    scans: memberTicketsStart,
    'member-tickets': { part: 'totals' },
  } as const;
  return part === 'totals' ? undefined : next[part];
}
