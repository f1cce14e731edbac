import type { Finding } from '../../domain/audit/finding.ts';
import { bucketSeconds } from '../../domain/time/time-buckets.ts';
import type { CountedEvent } from '../counters/shards.ts';
import type { Table } from '../table/table.ts';
import { type Confirmation, confirmed } from './confirm.ts';
import { auditOrders, auditSpans, nextOrderDay } from './orders.ts';
import { auditScans, nextScanDay } from './scans.ts';
import { auditStock } from './stock.ts';

/** Where the audit of an event is: at the orders or scans from a second on, or at the totals, which are last. */
export type EventPosition =
  | { readonly part: 'orders'; readonly from: number }
  | { readonly part: 'scans'; readonly from: number }
  | { readonly part: 'totals' };

export const eventStart: EventPosition = { part: 'orders', from: 0 };

export interface AuditStep {
  readonly orders: number;
  readonly scans: number;
  readonly findings: readonly Finding[];
  /** Undefined when the event is complete. */
  readonly next: EventPosition | undefined;
}

const nothing: AuditStep = { orders: 0, scans: 0, findings: [], next: undefined };

/** Audits one day of orders or scans, or the totals of the event. A step is short, so a position can be stored after it. */
export async function auditStep(
  table: Table,
  event: CountedEvent,
  position: EventPosition,
  confirmation: Confirmation,
): Promise<AuditStep> {
  switch (position.part) {
    case 'orders': {
      const day = await nextOrderDay(table, event, position.from);
      if (day === undefined) return { ...nothing, next: { part: 'scans', from: 0 } };
      let orders = 0;
      const look = async () => {
        const audited = await auditOrders(table, event, day);
        orders = audited.orders;
        return audited.findings;
      };
      const findings = await confirmed(look, confirmation);
      return { ...nothing, orders, findings, next: { part: 'orders', from: day + bucketSeconds.day } };
    }
    case 'scans': {
      const day = await nextScanDay(table, event, position.from);
      if (day === undefined) return { ...nothing, next: { part: 'totals' } };
      let scans = 0;
      const look = async () => {
        const audited = await auditScans(table, event, day);
        scans = audited.scans;
        return audited.findings;
      };
      const findings = await confirmed(look, confirmation);
      return { ...nothing, scans, findings, next: { part: 'scans', from: day + bucketSeconds.day } };
    }
    case 'totals': {
      const spans = await confirmed(() => auditSpans(table, event), confirmation);
      const stock = await confirmed(() => auditStock(table, event), confirmation);
      return { ...nothing, findings: [...spans, ...stock] };
    }
  }
}
