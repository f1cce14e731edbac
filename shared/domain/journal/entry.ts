import { sumOf } from '../money.ts';
import { noEventId, type OrderRecord, type OrderWithTickets, type TicketRecord } from '../orders/order.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import { ticketPriceMinor } from '../orders/ticket-money.ts';

/** `instalment` comes later. */
export const journalKinds = ['sale', 'refund', 'instalment', 'dispute_withdrawn', 'dispute_returned'] as const;
export type JournalKind = (typeof journalKinds)[number];

/** Where the money of an order is: at the provider, or withdrawn by a bank until a dispute is decided. */
export const moneyAccounts = ['card', 'cash', 'other', 'receivable', 'disputes'] as const;
export type MoneyAccount = (typeof moneyAccounts)[number];
export const revenueAccounts = ['tickets', 'memberships', 'service_fees', 'service_tax', 'transaction_fee'] as const;
export type Account = MoneyAccount | (typeof revenueAccounts)[number];

/** What an entry says of the tickets of one price. Positive for a sale, negative for a refund. */
export interface PriceMoney {
  readonly priceId: number;
  readonly quantity: number;
  /** Face prices less rebates and discounts. */
  readonly netMinor: number;
  /** The tax that the net amount contains. */
  readonly taxMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
}

/** What moved money, before it has an id. Amounts are in minor units. */
export interface NewEntry {
  readonly kind: JournalKind;
  readonly orderId: number;
  readonly eventId: number | null;
  readonly currency: string;
  readonly prices: readonly PriceMoney[];
  readonly transactionFeeMinor: number;
  readonly money: Readonly<Partial<Record<MoneyAccount, number>>>;
}

export interface JournalEntry extends NewEntry {
  readonly entryId: string;
  readonly atUnix: number;
}

/** The entry of an order that is sold here. Undefined if all face prices are 0. */
export function saleEntry({ order, tickets }: OrderWithTickets): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  return {
    ...entryOf('sale', order),
    prices: priceMoney(tickets, 1),
    transactionFeeMinor: order.transactionFeeMinor,
    money: { [accountOf(order)]: order.totalMinor },
  };
}

/** The entry of refunded tickets. What is returned beyond their cost is the fee on the order. Undefined if the sale has none. */
export function refundEntry(
  order: OrderRecord,
  tickets: readonly TicketRecord[],
  amountMinor: number,
): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  return {
    ...entryOf('refund', order),
    prices: priceMoney(tickets, -1),
    transactionFeeMinor: ticketsCostMinor(tickets) - amountMinor,
    money: { [accountOf(order)]: -amountMinor },
  };
}

/** The entry of money that a bank has withdrawn because of a dispute, or has returned. Undefined if the sale has none. */
export function disputeEntry(
  order: OrderRecord,
  moved: 'withdrawn' | 'returned',
  amountMinor: number,
): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  const disputedMinor = moved === 'withdrawn' ? amountMinor : -amountMinor;
  return {
    ...entryOf(`dispute_${moved}`, order),
    prices: [],
    transactionFeeMinor: 0,
    money: { [accountOf(order)]: -disputedMinor, disputes: disputedMinor },
  };
}

function entryOf(
  kind: JournalKind,
  { orderId, eventId, currency }: OrderRecord,
): Pick<NewEntry, 'kind' | 'orderId' | 'eventId' | 'currency'> {
  return { kind, orderId, eventId: eventId === noEventId ? null : eventId, currency };
}

/** Wallets pay with a card. */
const cardKinds: readonly (string | null)[] = [null, 'card', 'apple_pay', 'google_pay'];

function accountOf({ paymentMethod }: OrderRecord): 'card' | 'cash' | 'other' {
  if (paymentMethod === 'cash') return 'cash';
  return cardKinds.includes(paymentMethod) ? 'card' : 'other';
}

function priceMoney(tickets: readonly TicketRecord[], sign: 1 | -1): readonly PriceMoney[] {
  const priceIds = [...new Set(tickets.map(({ priceId }) => priceId))].sort((one, other) => one - other);
  return priceIds.map((priceId) => {
    const own = tickets.filter((ticket) => ticket.priceId === priceId);
    const sum = (amountOf: (ticket: TicketRecord) => number): number => sign * sumOf(own.map(amountOf));
    return {
      priceId,
      quantity: sign * own.length,
      netMinor: sum((ticket) => ticketPriceMinor(ticket) - ticket.discountMinor),
      taxMinor: sum(({ taxMinor }) => taxMinor),
      serviceFeeMinor: sum(({ serviceFeeMinor }) => serviceFeeMinor),
      serviceTaxMinor: sum(({ serviceTaxMinor }) => serviceTaxMinor),
    };
  });
}

/** A line of an entry: revenue is negative, money that was received is positive, and the lines of an entry add up to 0. */
export interface JournalLine {
  readonly account: Account;
  readonly priceId: number | null;
  /** The tickets that the line is about; null if it is about the whole order. */
  readonly quantity: number | null;
  readonly amountMinor: number;
  readonly taxMinor: number;
}

export function linesOf({ prices, transactionFeeMinor, money }: NewEntry): readonly JournalLine[] {
  const ofPrices = (account: Account, amountOf: (price: PriceMoney) => number): JournalLine[] =>
    prices.map((price) => ({
      account,
      priceId: price.priceId,
      quantity: price.quantity,
      amountMinor: negative(amountOf(price)),
      taxMinor: account === 'tickets' ? negative(price.taxMinor) : 0,
    }));
  const ofOrder = (account: Account, amountMinor: number): JournalLine => ({
    account,
    priceId: null,
    quantity: null,
    amountMinor,
    taxMinor: 0,
  });
  const others = [
    ...ofPrices('service_fees', ({ serviceFeeMinor }) => serviceFeeMinor),
    ...ofPrices('service_tax', ({ serviceTaxMinor }) => serviceTaxMinor),
    ofOrder('transaction_fee', negative(transactionFeeMinor)),
    ...moneyAccounts.map((account) => ofOrder(account, money[account] ?? 0)),
  ];
  return [...ofPrices('tickets', ({ netMinor }) => netMinor), ...others.filter(({ amountMinor }) => amountMinor !== 0)];
}

/** Not -0, which is another text in JSON. */
const negative = (amount: number): number => 0 - amount;

/** What the organisation has of an entry: with the provider, or withdrawn and disputed. */
export function moneyMinor({ money }: Pick<NewEntry, 'money'>): number {
  return sumOf(Object.values(money));
}
