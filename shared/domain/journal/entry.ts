import { sumOf } from '../money.ts';
import type { Tender } from '../orders/tender.ts';

export const journalKinds = [
  'sale',
  'refund',
  'refund_failed',
  'instalment',
  'payment',
  'write_off',
  'dispute_withdrawn',
  'dispute_returned',
  // No money: the receipt of an order is made out to somebody else.
  'invoice_address',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/**
 * Where the money of an order is: at the provider, received in another way, owed, or withdrawn by a bank until a dispute is
 * decided. `terminal` is the organisation's own card terminal, `bank` a transfer to its account.
 */
export const moneyAccounts = ['card', 'cash', 'terminal', 'bank', 'other', 'receivable', 'disputes'] as const;
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
  /** How and by whom the money was taken or returned at the counter; absent if it was not. */
  readonly tender?: Tender | undefined;
}

export interface JournalEntry extends NewEntry {
  readonly entryId: string;
  readonly atUnix: number;
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
