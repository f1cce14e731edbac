import type { MemberReservation } from '../baskets/member-limits.ts';
import type { PersonReservation } from '../baskets/person-limits.ts';
import { idText } from '../ids.ts';
import { sumOf } from '../money.ts';
import { stockIndexes } from '../prices/pool.ts';
import type { SelfCancel } from '../prices/self-cancel.ts';
import { endOfTime, recordedSecondText } from '../time/time-buckets.ts';
import type { OrderAddress } from './invoice-address.ts';
import type { Labels } from './labels.ts';
import type { OrderMembership } from './membership.ts';
import type { RefundRecord } from './refund.ts';
import type { OrderPayment, Tender } from './tender.ts';
import { discountProblem, ticketsCostMinor, withDiscounts, withReducedFee } from './ticket-discounts.ts';
import { type KeptMoney, type TicketMoney, ticketAmounts } from './ticket-money.ts';
import { type TicketStatus, ticketStatusOf } from './ticket-status.ts';
import type { TicketTransfers } from './transfer.ts';

export type OrderStatus = 'pending' | 'confirmed' | 'cancelled' | 'refunded';

/** The buyer's data at the time of the order. */
export interface Buyer {
  readonly userId: number | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly postcode: string | null;
  readonly countryId: number | null;
  readonly marketingOptIn: boolean;
}

/** The event of an order that has none, such as one of memberships. The keys of an order need a number. */
export const noEventId = 0;

/** A purchase of tickets for one event, of memberships, or of both. Amounts are in minor units of its currency. */
export interface OrderRecord extends Buyer, Labels {
  /** The basket's id; the 63 numbers after it are the ids of its tickets and terms. */
  readonly orderId: number;
  readonly orderUuid: string;
  /** `noEventId` if it has none. */
  readonly eventId: number;
  readonly status: OrderStatus;
  readonly placedUnix: number;
  /** When the order or one of its tickets last changed. Absent if a release that did not record it has written the order, and nothing changed since. */
  readonly updatedUnix?: number | undefined;
  readonly currency: string;
  readonly transactionFeeMinor: number;
  /** The sum of the discounts of tickets and memberships. */
  readonly discountMinor: number;
  /** The amount paid: what tickets and memberships cost, plus the fee on the order. */
  readonly totalMinor: number;
  /** How much of it was refunded: what the refunded tickets and memberships cost; everything if all of them are. */
  readonly refundedMinor: number;
  /** What was to be paid later for memberships, and is not owed any more because they are refunded. Absent if there is none. */
  readonly writtenOffMinor?: number | undefined;
  /** What was paid for tickets and memberships that are refunded, and is kept. Absent if there is none. */
  readonly keptMinor?: number | undefined;
  readonly paymentMethod: string | null;
  /** Whether the journal has the sale. Then it has every refund too; it has nothing of imports and of orders that are free. */
  readonly isBooked: boolean;
  /** How it was sold at the counter. Absent if the provider charged it, if it was free, and of an import. */
  readonly tender?: Tender | undefined;
  /** What was received for an invoice after the sale, without the payment provider. Absent if nothing was. */
  readonly payments?: readonly OrderPayment[] | undefined;
  /** The refunds of an order that was not paid here. Those of a payment are recorded with the payment, in the basket. */
  readonly refundsElsewhere: readonly RefundRecord[];
  /** The tickets that counted against the limits of members when the order was placed. Absent if there are none. */
  readonly reservation?: MemberReservation;
  /** The tickets that counted against the limits of phases for the buyer. Absent if there are none, and after the erasure of the buyer. */
  readonly personReservation?: PersonReservation;
  /** The code that was applied to the basket, as it is written. Absent if there was none. */
  readonly code?: string | undefined;
  /** Whom its receipt is made out to. Absent if nobody asked for that, and after the erasure of the buyer. */
  readonly invoiceAddress?: OrderAddress | undefined;
  /** Incremented with each change of the order or of a ticket's status. */
  readonly version: number;
}

export interface Seat {
  readonly sectionLabel: string | null;
  readonly subSectionTitle: string | null;
  readonly seatAisle: string | null;
  readonly seatRow: string | null;
  readonly seatTitle: string | null;
}

/** The stocks that a ticket was taken from, frozen at the sale: a refund returns it to the same ones. */
export interface TicketStock {
  /** Null if the ticket was taken from no pool. */
  readonly poolIndex: number | null;
  /** Whether the ticket was taken from the stock of its price. */
  readonly ownStock: boolean;
  /** Whether its seat was taken in the rows of the event. A ticket of an event without a seat map only says where it is. */
  readonly takesSeat?: boolean;
}

/** A ticket at the time of sale. It contains a copy of the price, because prices change and sold tickets do not. */
export interface SoldTicket extends TicketMoney, TicketStock, Partial<Seat> {
  readonly barcode: string;
  readonly priceId: number;
  /** The index of the price within the event; counters use it as the name of the price. */
  readonly priceIndex: number;
  readonly priceTitle: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly ticketName: string | null;
  /** The membership of the person that the ticket is for; null if it is unknown. */
  readonly holderMemberId: number | null;
  /** On what terms the buyer may cancel it, frozen at the sale. Absent if not at all. */
  readonly selfCancel?: SelfCancel | undefined;
  /** Only for imported tickets, and those of an invoice that admit once it is paid. The default follows from the status of the order. */
  readonly status?: TicketStatus;
}

export interface TicketRecord
  extends Required<Omit<SoldTicket, 'selfCancel'>>,
    Pick<SoldTicket, 'selfCancel'>,
    KeptMoney {
  readonly ticketId: number;
  readonly orderId: number;
  readonly eventId: number;
  /** The buyer's address, for stewards and the list of scans. */
  readonly emailAddress: string | null;
  /** When the ticket was recorded, or its status or holder last changed. */
  readonly updatedUnix: number;
  /** Absent if the ticket was never given to somebody else. */
  readonly transfers?: TicketTransfers;
}

/** The input for a new order, from checkout, an import or the demo. */
export interface NewOrder extends Buyer, Labels {
  readonly orderId: number;
  readonly orderUuid: string;
  readonly eventId: number;
  readonly placedUnix: number;
  /** When the order is recorded, if that is not when it was placed: for imports. */
  readonly recordedUnix?: number;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly transactionFeeMinor: number;
  /** What the discounts of the tickets leave of it is divided among them. */
  readonly discountMinor: number;
  readonly paymentMethod: string | null;
  readonly tender?: Tender | undefined;
  readonly reservation?: MemberReservation;
  readonly personReservation?: PersonReservation;
  readonly code?: string | undefined;
  readonly invoiceAddress?: OrderAddress | undefined;
  /** Whether the caller writes the entry of the sale. */
  readonly isBooked?: boolean;
  readonly tickets: readonly SoldTicket[];
  readonly memberships?: readonly OrderMembership[];
}

export interface OrderWithTickets {
  readonly order: OrderRecord;
  readonly tickets: readonly TicketRecord[];
  readonly memberships: readonly OrderMembership[];
}

/** The ids of orders end in six zero bits, so 32,768 orders fit into a second. */
const maxTickets = 63;
export const orderIdStep = maxTickets + 1;

/** The order of a ticket; undefined for a number that cannot be the id of a ticket. */
export function orderIdOfTicket(ticketId: number): number | undefined {
  const number = ticketId % orderIdStep;
  return number === 0 || ticketId < orderIdStep ? undefined : ticketId - number;
}

/**
 * Every change of an order is one transaction of at most 100 items (ADR 23). The largest ones are an import and its end: every
 * ticket, every stock of a price or pool, every row of seats, 20 search words and 9 others. A paid basket has fewer stocks, because its refund
 * writes more (docs/costs.md).
 */
const maxTicketsAndStocks = 70;

/** Whether a ticket counts as sold: it is neither cancelled nor refunded. */
export function isSold({ status }: Pick<TicketRecord, 'status'>): boolean {
  return status === ticketStatusOf.pending || status === ticketStatusOf.confirmed;
}

/** A ticket that was cancelled is paid for until it is refunded, wherever it was paid. */
export function isRefundable({ status }: Pick<TicketRecord, 'status'>): boolean {
  return status !== ticketStatusOf.refunded;
}

/** A ticket or a membership of an order. */
export type OrderUnit = TicketMoney & Pick<TicketRecord, 'status'>;

/** The last refund of an order returns what is left, with the fee on the order. */
export function orderRefundedMinor(
  order: Pick<OrderRecord, 'totalMinor' | 'writtenOffMinor' | 'keptMinor'>,
  { tickets, memberships }: Pick<OrderWithTickets, 'tickets' | 'memberships'>,
): number {
  const units: readonly OrderUnit[] = [...tickets, ...memberships];
  const refunded = units.filter(({ status }) => status === ticketStatusOf.refunded);
  const costMinor = refunded.length === units.length ? order.totalMinor : ticketsCostMinor(refunded);
  return Math.min(costMinor, order.totalMinor) - (order.writtenOffMinor ?? 0) - (order.keptMinor ?? 0);
}

/** Returns the records of a new order and its tickets. */
export function orderRecords(placed: NewOrder): OrderWithTickets {
  const { tickets: soldTickets, memberships = [], recordedUnix, ...newOrder } = withReducedFee(placed);
  const { orderId, eventId, emailAddress } = newOrder;
  const noSeat: Seat = { sectionLabel: null, subSectionTitle: null, seatAisle: null, seatRow: null, seatTitle: null };
  const discountMinor = newOrder.discountMinor - sumOf(memberships.map((membership) => membership.discountMinor));
  const discounted = withDiscounts(soldTickets, { discountMinor, currency: newOrder.currency });
  const tickets = discounted.map((ticket, index) => ({
    status: ticketStatusOf[newOrder.status],
    ...noSeat,
    takesSeat: false,
    ...ticket,
    ticketId: orderId + 1 + index,
    orderId,
    eventId,
    emailAddress,
    updatedUnix: recordedUnix ?? newOrder.placedUnix,
  }));
  const totalMinor = ticketsCostMinor([...tickets, ...memberships]) + newOrder.transactionFeeMinor;
  return {
    order: {
      ...newOrder,
      updatedUnix: recordedUnix ?? newOrder.placedUnix,
      isBooked: newOrder.isBooked ?? false,
      totalMinor,
      refundedMinor: orderRefundedMinor({ ...newOrder, totalMinor }, { tickets, memberships }),
      refundsElsewhere: [],
      version: 1,
    },
    tickets,
    memberships,
  };
}

/** When an order last changed, as far as it is known. */
export const orderUpdatedUnix = ({
  updatedUnix,
  placedUnix,
}: Pick<OrderRecord, 'updatedUnix' | 'placedUnix'>): number => updatedUnix ?? placedUnix;

/** The order with a later version. Clocks differ a little, and an order never moves back among those that changed. */
export function changedAt(order: OrderRecord, atUnix: number): OrderRecord {
  return { ...order, updatedUnix: Math.max(order.updatedUnix ?? 0, atUnix), version: order.version + 1 };
}

const maxBarcodeLength = 100;

/** Returns why an order cannot be recorded; undefined if it can. */
export function orderProblem(newOrder: NewOrder): string | undefined {
  const { orderId, placedUnix, tickets, memberships = [] } = newOrder;
  const barcodes = tickets.map(({ barcode }) => barcode);
  const inRows = tickets.filter(({ takesSeat }) => takesSeat);
  const stocks =
    new Set(tickets.flatMap(({ priceIndex: index, ...stock }) => stockIndexes({ index, ...stock }))).size +
    new Set(inRows.map(({ sectionLabel, seatRow }) => `${sectionLabel}/${seatRow}`)).size;
  const amounts = [
    newOrder.transactionFeeMinor,
    newOrder.discountMinor,
    ...[...tickets, ...memberships].flatMap(ticketAmounts),
  ];
  if (orderId <= 0 || orderId % orderIdStep !== 0) return `an order's id is a multiple of ${orderIdStep}`;
  if (orderId + maxTickets > Number.MAX_SAFE_INTEGER) return 'the id is too large';
  if (!Number.isInteger(placedUnix) || placedUnix < 0 || placedUnix >= endOfTime) return 'the date is out of range';
  const isEmpty = tickets.length === 0 && memberships.length === 0;
  if (isEmpty || tickets.length > maxTickets) return `an order has 1 to ${maxTickets} tickets`;
  if (tickets.length + stocks > maxTicketsAndStocks) {
    return `an order of ${stocks} different prices, pools and rows of seats has at most ${maxTicketsAndStocks - stocks} tickets`;
  }
  if (new Set(barcodes).size !== barcodes.length) return 'two tickets have the same barcode';
  if (barcodes.some((barcode) => barcode === '' || barcode.length > maxBarcodeLength)) {
    return `a barcode has 1 to ${maxBarcodeLength} characters`;
  }
  if (!amounts.every(Number.isSafeInteger)) return 'an amount is not in whole minor units';
  return discountProblem(newOrder);
}

/** The sort key of an order among those of its event: the oldest first, ties broken by the id. */
export function orderSortKey({ placedUnix, orderId }: Pick<OrderRecord, 'placedUnix' | 'orderId'>): string {
  return `${recordedSecondText(placedUnix)}#${idText(orderId)}`;
}

/** Returns the id of the order at a sort key. */
export function orderIdAt(sortKey: string): number {
  return Number(sortKey.slice(sortKey.indexOf('#') + 1));
}

/** The values that replace the buyer's personal data in an order. Ids, dates, statuses and amounts stay for accounting. */
export const erasedBuyer = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  postcode: null,
  countryId: null,
  marketingOptIn: false,
} as const satisfies Partial<Buyer>;
