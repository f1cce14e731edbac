import { sumOf } from '../../money.ts';
import type { OrderMembership } from '../../orders/membership.ts';
import { ticketsCostMinor, withDiscounts } from '../../orders/ticket-discounts.ts';
import { ticketPriceMinor } from '../../orders/ticket-money.ts';
import type { NewEntry } from '../entry.ts';
import type { Refund } from '../money-moves.ts';
import { accountOf, headOf, moneyOf, priceMoney, typeMoney } from './parts.ts';

/**
 * What is returned beyond the cost of tickets and memberships is the fee on the order. What is kept of memberships stays their revenue,
 * and then the fee stays too. What is written off is not owed any more.
 */
export function refundEntry({ order, tickets, memberships, refund }: Omit<Refund, 'moved'>): NewEntry {
  const { amountMinor, writtenOffMinor = 0, keptMinor = 0, elsewhereMinor = 0 } = refund;
  const beyondMinor = ticketsCostMinor([...tickets, ...memberships]) - amountMinor - writtenOffMinor;
  return {
    ...headOf('refund', order),
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
