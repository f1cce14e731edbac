import type { PriceList } from '../../../shared/data/prices/read.ts';
import { minorUnits, shareOf } from '../../../shared/domain/money.ts';
import { isSold, type OrderStatus, type SoldTicket } from '../../../shared/domain/orders/order.ts';
import { ticketStatusOf } from '../../../shared/domain/orders/ticket-status.ts';
import { excessDecimals } from '../../../shared/domain/prices/amounts.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { type SeatMap, seatName, seatNamesOf } from '../../../shared/domain/seats/seat-map.ts';
import type { TicketRow } from './order-row.ts';

interface OfferedAt {
  /** The status of the order, which tickets have that name none. */
  readonly orderStatus: OrderStatus;
  readonly list: PriceList;
  readonly currency: string;
  /** Undefined if the event has no seat map. */
  readonly map: SeatMap | undefined;
}

/** The tickets of an imported order; a text says why they are rejected. */
export function ticketsOfRow(
  rows: readonly TicketRow[],
  { orderStatus, list: { prices, categories }, currency, map }: OfferedAt,
): readonly SoldTicket[] | string {
  const sold = rows.filter(({ ticket_status_id }) =>
    isSold({ status: ticket_status_id ?? ticketStatusOf[orderStatus] }),
  );
  const unknown = map && unknownSeat(sold, map);
  if (unknown !== undefined) {
    return `tickets: the seat map of the event has no seat "${unknown}", or two tickets have it.`;
  }
  const byCode = new Map(prices.map((price) => [price.code, price]));
  const counts = new Map<string, number>();
  const tickets: SoldTicket[] = [];
  for (const row of rows) {
    const price = byCode.get(row.price_code);
    if (price === undefined) return `price_code "${row.price_code}" does not exist in the event.`;
    const index = counts.get(price.code) ?? 0;
    counts.set(price.code, index + 1);
    const categoryTitle = categories.get(price.categoryId)?.title ?? '';
    const { price: face, rebate, service_fee, service_tax, discount, tax } = row;
    const problem = excessDecimals({ price: face, rebate, service_fee, service_tax, discount, tax }, currency);
    if (problem !== undefined) return `tickets: ${problem}`;
    const takesSeat = map !== undefined && seatOfRow(row) !== undefined;
    const ticket = { ...ticketOfRow(row, price, { categoryTitle, index, currency }), takesSeat };
    const isOwnPrice = face !== null || rebate !== null;
    if (isOwnPrice && ticket.rebateMinor > ticket.faceMinor) return 'tickets: rebate must not be more than price.';
    tickets.push(ticket);
  }
  return tickets;
}

/** A seat that the map does not have, or that two tickets have. Tickets that are not sold any more have left theirs to others. */
function unknownSeat(sold: readonly TicketRow[], map: SeatMap): string | undefined {
  const left = new Set(seatNamesOf(map));
  return sold.flatMap((row) => seatOfRow(row) ?? []).find((seat) => !left.delete(seat));
}

/** The seat that a ticket of an event with a seat map names in full. */
function seatOfRow({ section_label, seat_row, seat_title }: TicketRow): string | undefined {
  return section_label === null || seat_row === null || seat_title === null
    ? undefined
    : seatName(section_label, seat_row, seat_title);
}

/** The tickets of a group price share its amounts, to the last cent; `index` counts the tickets of this price. */
function ticketOfRow(
  row: TicketRow,
  price: PriceRecord,
  { categoryTitle, index, currency }: { categoryTitle: string; index: number; currency: string },
): SoldTicket {
  const { ticketsIncluded } = price;
  const minor = (given: number | null, ofPrice: number): number =>
    given === null
      ? shareOf(ofPrice, { count: ticketsIncluded, index: index % ticketsIncluded, currency })
      : (minorUnits(given, currency) ?? 0);
  return {
    barcode: row.barcode,
    priceId: price.priceId,
    priceIndex: price.index,
    priceTitle: price.title,
    categoryId: price.categoryId,
    categoryTitle,
    ticketName: row.ticket_name,
    holderMemberId: null,
    faceMinor: minor(row.price, price.priceMinor),
    rebateMinor: minor(row.rebate, price.rebateMinor),
    serviceFeeMinor: minor(row.service_fee, price.serviceFeeMinor),
    serviceTaxMinor: minor(row.service_tax, price.serviceTaxMinor),
    discountMinor: minor(row.discount, 0),
    taxMinor: minor(row.tax, 0),
    poolIndex: price.poolIndex,
    ownStock: price.ownStock,
    ...(row.ticket_status_id !== null && { status: row.ticket_status_id }),
    sectionLabel: row.section_label,
    subSectionTitle: row.sub_section_title,
    seatAisle: row.seat_aisle,
    seatRow: row.seat_row,
    seatTitle: row.seat_title,
  };
}
