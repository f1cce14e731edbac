import type { EventRecord } from '../domain/events/event.ts';
import type { PriceCategoryRecord } from '../domain/prices/price.ts';
import type { ScanRecord } from '../domain/scans/scan.ts';
import { localDate, localTime, localUnix } from '../domain/time/local-time.ts';
import type { Scan } from '../operations/schemas/scan.ts';

/** What a scan is shown with, beside what it says itself. */
export interface ScanSurroundings {
  readonly event: Pick<EventRecord, 'timezone'>;
  /** Only their status is shown: titles are those of the day of the sale. */
  readonly categories: ReadonlyMap<number, Pick<PriceCategoryRecord, 'status'>>;
}

export function scanResource(scan: ScanRecord, { event, categories }: ScanSurroundings): Scan {
  const { scannedUnix, categoryId } = scan;
  return {
    gate_id: scan.gateId,
    scan_date: localDate(scannedUnix, event.timezone),
    scan_time: localTime(scannedUnix, event.timezone),
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
    unix_local_timestamp: localUnix(scannedUnix, event.timezone),
  };
}

/** The same with how many tickets of its category were sold. A ticket of another event has a category, but none that is sold here. */
export function scanWithSales(scan: Scan, soldByCategory: ReadonlyMap<number, number>): Scan {
  const { price_category_id: categoryId } = scan;
  return { ...scan, tickets_sold: categoryId === null ? null : (soldByCategory.get(categoryId) ?? null) };
}

const chunkSize = 250;

/** Scans a few at a time, so that a response is written while the next ones are made. */
export async function* inChunks(
  scans: readonly ScanRecord[],
  resourceOf: (scan: ScanRecord) => Scan,
): AsyncGenerator<readonly Scan[]> {
  for (let start = 0; start < scans.length; start += chunkSize) {
    yield scans.slice(start, start + chunkSize).map(resourceOf);
  }
}
