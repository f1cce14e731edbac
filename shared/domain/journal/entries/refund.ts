import { sumOf } from '../../money.ts';
import type { OrderMembership } from '../../orders/membership.ts';
import { ticketsCostMinor, withDiscounts } from '../../orders/ticket-discounts.ts';
import { returnedMoney, ticketPriceMinor } from '../../orders/ticket-money.ts';
import type { NewEntry } from '../entry.ts';
import type { Refund } from '../money-moves.ts';
import { accountOf, headOf, moneyOf, priceMoney, tenderAccounts, typeMoney } from './parts.ts';

/**
 * What is kept of each ticket and membership stays its revenue. What is returned beyond the rest is the fee on the order. If more is kept
 * of memberships, that stays their revenue, and then the fee stays too. What is written off is not owed any more.
 */
export function refundEntry({ order, refund, ...units }: Omit<Refund, 'moved'>): NewEntry {
  const { amountMinor, writtenOffMinor = 0, keptMinor = 0, elsewhereMinor = 0, returnedBy } = refund;
  const account = returnedBy === undefined ? accountOf(order) : tenderAccounts[returnedBy.kind];
  const ofEachMinor = sumOf([...units.tickets, ...units.memberships].map((unit) => unit.keptMinor ?? 0));
  const tickets = units.tickets.map(returnedMoney);
  const memberships = units.memberships.map(returnedMoney);
  const beyondMinor = ticketsCostMinor([...tickets, ...memberships]) - amountMinor - writtenOffMinor;
  // Of an invoice that nobody has paid, nothing is returned.
  const isWriteOff = order.tender?.kind === 'invoice' && amountMinor === 0 && writtenOffMinor > 0;
  const isMoreKept = keptMinor > ofEachMinor;
  return {
    ...headOf(isWriteOff ? 'write_off' : 'refund', order),
    prices: priceMoney(tickets, -1),
    types: typeMoney(isMoreKept ? withoutKept(memberships, beyondMinor, order.currency) : memberships, -1),
    transactionFeeMinor: isMoreKept ? 0 : beyondMinor,
    money: moneyOf(
      [account, elsewhereMinor - amountMinor],
      ['other', -elsewhereMinor],
      ['receivable', -writtenOffMinor],
    ),
    ...(returnedBy !== undefined && { tender: returnedBy }),
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
