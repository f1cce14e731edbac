import { idText } from '../ids.ts';
import { endOfTime, recordedSecondText } from '../time/time-buckets.ts';

export type OrderStatus = 'pending' | 'confirmed' | 'cancelled' | 'refunded';

/** 0 pending, 1 active, 2 cancelled, 3 refunded. Attendance is a scan, never a status. */
export type TicketStatus = 0 | 1 | 2 | 3;

/** Who bought, as of the day of the order. */
export interface Buyer {
  readonly userId: number | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly postcode: string | null;
  readonly countryId: number | null;
  readonly marketingOptIn: boolean;
}

/** A purchase of tickets for one event. Amounts are minor units of its currency. */
export interface OrderRecord extends Buyer {
  /** The basket's id; the 63 numbers after it are the ids of its tickets. */
  readonly orderId: number;
  readonly orderUuid: string;
  readonly eventId: number;
  readonly status: OrderStatus;
  readonly placedUnix: number;
  readonly currency: string;
  readonly transactionFeeMinor: number;
  readonly discountMinor: number;
  /** What was paid: tickets with their fees, plus the fee on the order, less the discount. */
  readonly totalMinor: number;
  readonly paymentMethod: string | null;
  /** Goes up with each change of the order or of one of its tickets' statuses. */
  readonly version: number;
}

export interface Seat {
  readonly sectionLabel: string | null;
  readonly subSectionTitle: string | null;
  readonly seatAisle: string | null;
  readonly seatTitle: string | null;
}

/** What a ticket cost, in minor units: its price is the face price less the rebate, its fees are service fee and tax. */
export interface TicketMoney {
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
}

/** A ticket as it is sold: the price is told, not looked up, because prices change and sold tickets do not. */
export interface SoldTicket extends TicketMoney, Partial<Seat> {
  readonly barcode: string;
  readonly priceId: number;
  /** The price's place within the event: what counters know it by. */
  readonly priceIndex: number;
  readonly priceTitle: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly ticketName: string | null;
  /** Only of a ticket that is imported: by default that of its order. */
  readonly status?: TicketStatus;
}

export interface TicketRecord extends Required<SoldTicket> {
  readonly ticketId: number;
  readonly orderId: number;
  readonly eventId: number;
  /** Of the buyer: what a steward and the scan list see. */
  readonly emailAddress: string | null;
}

/** What checkout, an import or the demo knows of a sale. */
export interface NewOrder extends Buyer {
  readonly orderId: number;
  readonly orderUuid: string;
  readonly eventId: number;
  readonly placedUnix: number;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly transactionFeeMinor: number;
  readonly discountMinor: number;
  readonly paymentMethod: string | null;
  readonly tickets: readonly SoldTicket[];
}

export interface OrderWithTickets {
  readonly order: OrderRecord;
  readonly tickets: readonly TicketRecord[];
}

/** Ids of orders end in six empty bits: 32,768 orders fit into a second. */
const maxTickets = 63;
export const orderIdStep = maxTickets + 1;

/**
 * Whatever becomes of an order is written in one transaction of at most 100 items. The largest gives all of a paid basket back:
 * every ticket, the stock of every price, 20 words, and 8 others (order, basket, four counters, the event and its hint).
 */
const maxTicketsAndPrices = 72;

const statusOfTickets: Readonly<Record<OrderStatus, TicketStatus>> = {
  pending: 0,
  confirmed: 1,
  cancelled: 2,
  refunded: 3,
};

/** Whether a ticket counts as sold: all but the cancelled and the refunded ones do. */
export function isSold({ status }: Pick<TicketRecord, 'status'>): boolean {
  return status === statusOfTickets.pending || status === statusOfTickets.confirmed;
}

export function ticketPriceMinor({ faceMinor, rebateMinor }: TicketMoney): number {
  return faceMinor - rebateMinor;
}

export function ticketFeesMinor({ serviceFeeMinor, serviceTaxMinor }: TicketMoney): number {
  return serviceFeeMinor + serviceTaxMinor;
}

function orderTotalMinor(
  { transactionFeeMinor, discountMinor }: Pick<NewOrder, 'transactionFeeMinor' | 'discountMinor'>,
  tickets: readonly TicketMoney[],
): number {
  const sum = tickets.reduce((total, ticket) => total + ticketPriceMinor(ticket) + ticketFeesMinor(ticket), 0);
  return sum + transactionFeeMinor - discountMinor;
}

/** The order and tickets that a sale becomes. */
export function orderRecords({ tickets, ...newOrder }: NewOrder): OrderWithTickets {
  const { orderId, eventId, emailAddress } = newOrder;
  const noSeat: Seat = { sectionLabel: null, subSectionTitle: null, seatAisle: null, seatTitle: null };
  return {
    order: { ...newOrder, totalMinor: orderTotalMinor(newOrder, tickets), version: 1 },
    tickets: tickets.map((ticket, index) => ({
      status: statusOfTickets[newOrder.status],
      ...noSeat,
      ...ticket,
      ticketId: orderId + 1 + index,
      orderId,
      eventId,
      emailAddress,
    })),
  };
}

const longestBarcode = 100;

/** Why a sale cannot be recorded; undefined when it can. */
export function orderProblem(newOrder: NewOrder): string | undefined {
  const { orderId, placedUnix, tickets } = newOrder;
  const barcodes = tickets.map(({ barcode }) => barcode);
  const prices = new Set(tickets.map(({ priceIndex }) => priceIndex)).size;
  const amounts = [newOrder.transactionFeeMinor, newOrder.discountMinor, ...tickets.flatMap(amountsOf)];
  if (orderId <= 0 || orderId % orderIdStep !== 0) return `an order's id is a multiple of ${orderIdStep}`;
  if (orderId + maxTickets > Number.MAX_SAFE_INTEGER) return 'the id is too large';
  if (!Number.isInteger(placedUnix) || placedUnix < 0 || placedUnix >= endOfTime) return 'the date is out of range';
  if (tickets.length === 0 || tickets.length > maxTickets) return `an order has 1 to ${maxTickets} tickets`;
  if (tickets.length + prices > maxTicketsAndPrices) {
    return `an order of ${prices} different prices has at most ${maxTicketsAndPrices - prices} tickets`;
  }
  if (new Set(barcodes).size !== barcodes.length) return 'two tickets have the same barcode';
  if (barcodes.some((barcode) => barcode === '' || barcode.length > longestBarcode)) {
    return `a barcode has 1 to ${longestBarcode} characters`;
  }
  return amounts.every(Number.isSafeInteger) ? undefined : 'an amount is not in whole minor units';
}

function amountsOf(ticket: TicketMoney): number[] {
  return [ticket.faceMinor, ticket.rebateMinor, ticket.serviceFeeMinor, ticket.serviceTaxMinor];
}

/** Where an order stands among those of its event: oldest first, the id breaking ties. Sorting these texts is the order itself. */
export function orderSortKey({ placedUnix, orderId }: Pick<OrderRecord, 'placedUnix' | 'orderId'>): string {
  return `${recordedSecondText(placedUnix)}#${idText(orderId)}`;
}

/** What identifies a person in an order and its tickets. Ids, dates, statuses and money stay: the books need them. */
export const noBuyer = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  postcode: null,
  countryId: null,
  marketingOptIn: false,
} as const satisfies Partial<Buyer>;

export interface TicketsChange {
  /** Which tickets: those of these ids, or every one of the order. */
  readonly tickets: 'all' | readonly number[];
  readonly to: 'cancelled' | 'refunded';
}

export interface ChangedOrder {
  readonly before: OrderWithTickets;
  readonly after: OrderWithTickets;
  /** The tickets that are cancelled or refunded by this change, as they are after it. */
  readonly changed: readonly TicketRecord[];
}

/**
 * Cancels or refunds tickets that are still sold; others stay as they are. An order follows its tickets: when the last of
 * them goes, it takes the status of that change.
 */
export function changeOrder(before: OrderWithTickets, { tickets: wanted, to }: TicketsChange): ChangedOrder {
  const isWanted = ({ ticketId }: TicketRecord): boolean => wanted === 'all' || wanted.includes(ticketId);
  const tickets = before.tickets.map((ticket) =>
    isWanted(ticket) && isSold(ticket) ? { ...ticket, status: statusOfTickets[to] } : ticket,
  );
  const changed = tickets.filter((ticket, index) => ticket !== before.tickets[index]);
  if (changed.length === 0) return { before, after: before, changed };
  const { order } = before;
  const status = tickets.some(isSold) ? order.status : to;
  return { before, after: { order: { ...order, status, version: order.version + 1 }, tickets }, changed };
}
