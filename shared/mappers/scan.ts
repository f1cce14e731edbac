import type { EventRecord } from '../domain/events/event.ts';
import type { PriceCategoryRecord } from '../domain/prices/price.ts';
import type { ScanRecord } from '../domain/scans/scan.ts';
import { localUnix } from '../domain/time/local-time.ts';
import type { Scan } from '../operations/schemas/scan.ts';

/** What a scan resource shows in addition to the scan's own fields. */
export interface ScanContext {
  readonly event: Pick<EventRecord, 'timezone'>;
  /** Only the status is read from the categories. The titles are copies from the time of the order. */
  readonly categories: ReadonlyMap<number, Pick<PriceCategoryRecord, 'status'>>;
}

export function scanResource(scan: ScanRecord, { event, categories }: ScanContext): Scan {
  const { categoryId } = scan;
  const local = localUnix(scan.scannedUnix, event.timezone);
  const text = new Date(local * 1000).toISOString();
  return {
    gate_id: scan.gateId,
    scan_date: text.slice(0, 10),
    scan_time: text.slice(11, 19),
    gate: scan.gate,
    result: scan.result,
    ticket_name: scan.ticketName,
    order_id: scan.orderId,
    ticket_id: scan.ticketId,
    barcode: scan.barcode,
    price_category_id: categoryId,
    price_category_status: categoryId === null ? null : (categories.get(categoryId)?.status ?? null),
    membership_category_id: scan.membershipCategoryId,
    category_title: scan.categoryTitle,
    price_title: scan.priceTitle,
    email_address: scan.emailAddress,
    section_label: scan.sectionLabel,
    seat_row: scan.seatRow,
    seat_title: scan.seatTitle,
    unix_local_timestamp: local,
    scanned_at: scan.scannedUnix,
  };
}

/** Adds the number of tickets sold in its category; null for the category of another event, which is not sold here. */
export function scanWithSales(scan: Scan, soldByCategory: ReadonlyMap<number, number>): Scan {
  const { price_category_id: categoryId } = scan;
  return { ...scan, tickets_sold: categoryId === null ? null : (soldByCategory.get(categoryId) ?? null) };
}
