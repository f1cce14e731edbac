import { sumOf } from '../../money.ts';
import type { OrderMembership } from '../../orders/membership.ts';
import { noEventId, type OrderRecord, type TicketRecord } from '../../orders/order.ts';
import type { TenderKind } from '../../orders/tender.ts';
import { type TicketMoney, ticketPriceMinor } from '../../orders/ticket-money.ts';
import type { JournalKind, MoneyAccount, NewEntry, PriceMoney, SoldMoney, TypeMoney } from '../entry.ts';

export function headOf(
  kind: JournalKind,
  { orderId, eventId, currency }: OrderRecord,
): Pick<NewEntry, 'kind' | 'orderId' | 'eventId' | 'currency'> {
  return { kind, orderId, eventId: eventId === noEventId ? null : eventId, currency };
}

/** Of money that moves between accounts and is no revenue. */
export const nothingSold: Pick<NewEntry, 'prices' | 'types' | 'transactionFeeMinor'> = {
  prices: [],
  types: [],
  transactionFeeMinor: 0,
};

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
  null,
  'card',
  'apple_pay',
  'google_pay',
  'samsung_pay',
  'link',
  'amex_express_checkout',
  'masterpass',
  'visa_checkout',
];

/** Nothing is in the account of a complimentary order. */
export const tenderAccounts: Readonly<Record<TenderKind, MoneyAccount>> = {
  cash: 'cash',
  terminal: 'terminal',
  bank_transfer: 'bank',
  other: 'other',
  complimentary: 'other',
  invoice: 'receivable',
};

/** Where the money of an order is that the provider has charged, or that a tender has paid. */
export function accountOf({ paymentMethod, tender }: Pick<OrderRecord, 'paymentMethod' | 'tender'>): MoneyAccount {
  if (tender !== undefined) return tenderAccounts[tender.kind];
  if (paymentMethod === 'cash') return 'cash';
  return cardKinds.includes(paymentMethod) ? 'card' : 'other';
}

export function priceMoney(tickets: readonly TicketRecord[], sign: 1 | -1): readonly PriceMoney[] {
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
