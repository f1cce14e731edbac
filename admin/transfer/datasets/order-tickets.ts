import type { PriceList } from '../../../shared/data/prices/read.ts';
import { minorUnits, shareOf } from '../../../shared/domain/money.ts';
import type { SoldTicket } from '../../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import type { TicketRow } from './order-row.ts';

/** The tickets of an imported order; text says why they cannot be. */
export function ticketsOfRow(
  rows: readonly TicketRow[],
  { prices, categories }: PriceList,
): readonly SoldTicket[] | string {
  const byCode = new Map(prices.map((price) => [price.code, price]));
  const seen = new Map<string, number>();
  const tickets: SoldTicket[] = [];
  for (const row of rows) {
    const price = byCode.get(row.price_code);
    if (price === undefined) return `price_code names no price of the event: "${row.price_code}".`;
    const place = seen.get(price.code) ?? 0;
    seen.set(price.code, place + 1);
    const categoryTitle = categories.get(price.categoryId)?.title ?? '';
    tickets.push(ticketOfRow(row, price, categoryTitle, place));
  }
  return tickets;
}

/** The tickets of a group share what it costs, so that they add up to it: `place` is the how-manieth of its price this is. */
function ticketOfRow(row: TicketRow, price: PriceRecord, categoryTitle: string, place: number): SoldTicket {
  const { ticketsIncluded } = price;
  const minor = (told: number | null, whole: number): number =>
    told === null ? shareOf(whole, ticketsIncluded, place % ticketsIncluded) : (minorUnits(told) ?? 0);
  return {
    barcode: row.barcode,
    priceId: price.priceId,
    priceIndex: price.index,
    priceTitle: price.title,
    categoryId: price.categoryId,
    categoryTitle,
    ticketName: row.ticket_name,
    faceMinor: minor(row.price, price.priceMinor),
    rebateMinor: minor(row.rebate, price.rebateMinor),
    serviceFeeMinor: minor(row.service_fee, price.serviceFeeMinor),
    serviceTaxMinor: minor(row.service_tax, price.serviceTaxMinor),
    ...(row.ticket_status_id !== null && { status: row.ticket_status_id }),
    sectionLabel: row.section_label,
    subSectionTitle: row.sub_section_title,
    seatAisle: row.seat_aisle,
    seatTitle: row.seat_title,
  };
}
