import { sumOf } from '../money.ts';
import type { OrderMembership } from '../orders/membership.ts';
import { noEventId, type OrderRecord, type OrderWithTickets, type TicketRecord } from '../orders/order.ts';
import type { RefundRecord } from '../orders/refund.ts';
import { ticketsCostMinor, withDiscounts } from '../orders/ticket-discounts.ts';
import { type TicketMoney, ticketPriceMinor } from '../orders/ticket-money.ts';

export const journalKinds = [
  'sale',
  'refund',
  'refund_failed',
  'instalment',
  'dispute_withdrawn',
  'dispute_returned',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** Where the money of an order is: at the provider, or withdrawn by a bank until a dispute is decided. */
export const moneyAccounts = ['card', 'cash', 'other', 'receivable', 'disputes'] as const;
export type MoneyAccount = (typeof moneyAccounts)[number];
export const revenueAccounts = ['tickets', 'memberships', 'service_fees', 'service_tax', 'transaction_fee'] as const;
export type Account = MoneyAccount | (typeof revenueAccounts)[number];

/** What an entry says of tickets or memberships of one sort. Positive for a sale, negative for a refund. */
export interface SoldMoney {
  readonly quantity: number;
  /** Face prices less rebates and discounts. */
  readonly netMinor: number;
  /** The tax that the net amount contains. */
  readonly taxMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
}

export interface PriceMoney extends SoldMoney {
  readonly priceId: number;
}

export interface TypeMoney extends SoldMoney {
  readonly typeId: number;
}

/** What moved money, before it has an id. Amounts are in minor units. */
export interface NewEntry {
  readonly kind: JournalKind;
  readonly orderId: number;
  readonly eventId: number | null;
  readonly currency: string;
  readonly prices: readonly PriceMoney[];
  /** What it says of memberships. */
  readonly types: readonly TypeMoney[];
  readonly transactionFeeMinor: number;
  readonly money: Readonly<Partial<Record<MoneyAccount, number>>>;
}

export interface JournalEntry extends NewEntry {
  readonly entryId: string;
  readonly atUnix: number;
}

/** The entry of an order that is sold here. Part of it may be paid later. Undefined if all face prices are 0. */
export function saleEntry(
  { order, tickets, memberships }: OrderWithTickets,
  receivableMinor = 0,
): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  return {
    ...entryOf('sale', order),
    prices: priceMoney(tickets, 1),
    types: typeMoney(memberships, 1),
    transactionFeeMinor: order.transactionFeeMinor,
    money: moneyOf([accountOf(order), order.totalMinor - receivableMinor], ['receivable', receivableMinor]),
  };
}

/**
 * The entry of refunded tickets and memberships. What is returned beyond their cost is the fee on the order. What is kept of
 * memberships stays their revenue, and then the fee stays too. Undefined if the sale has none.
 */
export function refundEntry(
  order: OrderRecord,
  { tickets, memberships }: Pick<OrderWithTickets, 'tickets' | 'memberships'>,
  {
    amountMinor,
    writtenOffMinor = 0,
    keptMinor = 0,
    elsewhereMinor = 0,
  }: Pick<RefundRecord, 'amountMinor' | 'writtenOffMinor' | 'keptMinor' | 'elsewhereMinor'>,
): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  const beyondMinor = ticketsCostMinor([...tickets, ...memberships]) - amountMinor - writtenOffMinor;
  return {
    ...entryOf('refund', order),
    prices: priceMoney(tickets, -1),
    types: typeMoney(keptMinor === 0 ? memberships : withoutKept(memberships, beyondMinor, order.currency), -1),
    transactionFeeMinor: keptMinor === 0 ? beyondMinor : 0,
    money: moneyOf(
      [accountOf(order), elsewhereMinor - amountMinor],
      ['other', -elsewhereMinor],
      ['receivable', -writtenOffMinor],
    ),
  };
}

/** What is returned of memberships if the organisation keeps an amount. Their tax is reduced in proportion. */
export function withoutKept(
  memberships: readonly OrderMembership[],
  keptMinor: number,
  currency: string,
): readonly OrderMembership[] {
  const netOf = (one: OrderMembership): number => ticketPriceMinor(one) - one.discountMinor;
  const discountMinor = sumOf(memberships.map((one) => one.discountMinor)) + keptMinor;
  return withDiscounts(memberships, { discountMinor, currency }).map((one, index) => {
    const soldMinor = netOf(memberships[index] ?? one);
    return { ...one, taxMinor: soldMinor === 0 ? 0 : Math.round((one.taxMinor * netOf(one)) / soldMinor) };
  });
}

/** The entry of an instalment that was paid: what was owed is received, by card unless it was paid elsewhere. */
export function instalmentEntry(
  { orderId, eventId, currency }: Pick<NewEntry, 'orderId' | 'eventId' | 'currency'>,
  amountMinor: number,
  account: 'card' | 'other',
): NewEntry {
  return {
    ...{ kind: 'instalment', orderId, eventId, currency },
    prices: [],
    types: [],
    transactionFeeMinor: 0,
    money: moneyOf([account, amountMinor], ['receivable', -amountMinor]),
  };
}

/** The entry of instalments that a refund returned before it was refused: the membership goes on, and they are owed again. */
export function returnedInstalmentsEntry(order: OrderRecord, amountMinor: number): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  const { kind, orderId, eventId, currency } = entryOf('refund', order);
  return { ...instalmentEntry({ orderId, eventId, currency }, -amountMinor, 'card'), kind };
}

/**
 * The entry of such an instalment that was not returned after all. It is not owed any more; if somebody paid it meanwhile, or it was
 * written off, the organisation returns the money in another way.
 */
export function failedReturnEntry(
  order: OrderRecord,
  amountMinor: number,
  account: 'receivable' | 'other',
): NewEntry | undefined {
  if (!order.isBooked) return undefined;
  const money = moneyOf(['card', amountMinor], [account, -amountMinor]);
  return { ...entryOf('refund_failed', order), prices: [], types: [], transactionFeeMinor: 0, money };
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
    types: [],
    transactionFeeMinor: 0,
    money: moneyOf([accountOf(order), -disputedMinor], ['disputes', disputedMinor]),
  };
}

export function entryOf(
  kind: JournalKind,
  { orderId, eventId, currency }: OrderRecord,
): Pick<NewEntry, 'kind' | 'orderId' | 'eventId' | 'currency'> {
  return { kind, orderId, eventId: eventId === noEventId ? null : eventId, currency };
}

/** The money of each account. An account that is named twice has the sum of both. */
export function moneyOf(...parts: readonly (readonly [MoneyAccount, number])[]): NewEntry['money'] {
  const money: Partial<Record<MoneyAccount, number>> = {};
  for (const [account, amountMinor] of parts) {
    if (amountMinor !== 0) money[account] = (money[account] ?? 0) + amountMinor;
  }
  return money;
}

/** Wallets pay with a card. */
const cardKinds: readonly (string | null)[] = [
  ...[null, 'card', 'apple_pay', 'google_pay', 'samsung_pay', 'link'],
  ...['amex_express_checkout', 'masterpass', 'visa_checkout'],
];

export function accountOf({ paymentMethod }: OrderRecord): 'card' | 'cash' | 'other' {
  if (paymentMethod === 'cash') return 'cash';
  return cardKinds.includes(paymentMethod) ? 'card' : 'other';
}

function priceMoney(tickets: readonly TicketRecord[], sign: 1 | -1): readonly PriceMoney[] {
  const priceIds = [...new Set(tickets.map(({ priceId }) => priceId))].sort((one, other) => one - other);
  return priceIds.map((priceId) => {
    const own = tickets.filter((ticket) => ticket.priceId === priceId);
    return { priceId, ...soldMoney(own, sign) };
  });
}

export function typeMoney(memberships: readonly OrderMembership[], sign: 1 | -1): readonly TypeMoney[] {
  const typeIds = [...new Set(memberships.map(({ typeId }) => typeId))].sort((one, other) => one - other);
  return typeIds.map((typeId) => {
    const own = memberships.filter((membership) => membership.typeId === typeId);
    return { typeId, ...soldMoney(own, sign) };
  });
}

function soldMoney(units: readonly TicketMoney[], sign: 1 | -1): SoldMoney {
  const sum = (amountOf: (unit: TicketMoney) => number): number => sign * sumOf(units.map(amountOf));
  return {
    quantity: sign * units.length,
    netMinor: sum((unit) => ticketPriceMinor(unit) - unit.discountMinor),
    taxMinor: sum(({ taxMinor }) => taxMinor),
    serviceFeeMinor: sum(({ serviceFeeMinor }) => serviceFeeMinor),
    serviceTaxMinor: sum(({ serviceTaxMinor }) => serviceTaxMinor),
  };
}

/** A line of an entry: revenue is negative, money that was received is positive, and the lines of an entry add up to 0. */
export interface JournalLine {
  readonly account: Account;
  readonly priceId: number | null;
  readonly typeId: number | null;
  /** The tickets or memberships that the line is about; null if it is about the whole order. */
  readonly quantity: number | null;
  readonly amountMinor: number;
  readonly taxMinor: number;
}

export function linesOf({ prices, types, transactionFeeMinor, money }: NewEntry): readonly JournalLine[] {
  const lineOf = (account: Account, sold: SoldMoney, amountMinor: number) => ({
    account,
    quantity: sold.quantity,
    amountMinor: negative(amountMinor),
    taxMinor: account === 'tickets' || account === 'memberships' ? negative(sold.taxMinor) : 0,
  });
  const ofPrices = (account: Account, amountOf: (sold: SoldMoney) => number): JournalLine[] =>
    prices.map((price) => ({ ...lineOf(account, price, amountOf(price)), priceId: price.priceId, typeId: null }));
  const ofTypes = (account: Account, amountOf: (sold: SoldMoney) => number): JournalLine[] =>
    types.map((type) => ({ ...lineOf(account, type, amountOf(type)), priceId: null, typeId: type.typeId }));
  const ofBoth = (account: Account, amountOf: (sold: SoldMoney) => number): JournalLine[] => [
    ...ofPrices(account, amountOf),
    ...ofTypes(account, amountOf),
  ];
  const ofOrder = (account: Account, amountMinor: number): JournalLine => ({
    account,
    priceId: null,
    typeId: null,
    quantity: null,
    amountMinor,
    taxMinor: 0,
  });
  const others = [
    ...ofBoth('service_fees', ({ serviceFeeMinor }) => serviceFeeMinor),
    ...ofBoth('service_tax', ({ serviceTaxMinor }) => serviceTaxMinor),
    ofOrder('transaction_fee', negative(transactionFeeMinor)),
    ...moneyAccounts.map((account) => ofOrder(account, money[account] ?? 0)),
  ];
  return [
    ...ofPrices('tickets', ({ netMinor }) => netMinor),
    ...ofTypes('memberships', ({ netMinor }) => netMinor),
    ...others.filter(({ amountMinor }) => amountMinor !== 0),
  ];
}

/** Not -0, which is another text in JSON. */
export const negative = (amount: number): number => 0 - amount;

/** What is left of the lines of an entry: 0, or the entry is wrong. */
export function imbalanceMinor(entry: NewEntry): number {
  return sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor));
}

/** What the organisation has of an entry: with the provider, or withdrawn and disputed. */
export function moneyMinor({ money }: Pick<NewEntry, 'money'>): number {
  return sumOf(Object.values(money));
}
