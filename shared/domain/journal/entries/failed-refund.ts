import type { OrderMembership } from '../../orders/membership.ts';
import type { OrderWithTickets } from '../../orders/order.ts';
import type { RefundRecord } from '../../orders/refund.ts';
import { ticketsCostMinor } from '../../orders/ticket-discounts.ts';
import { type NewEntry, negative, type SoldMoney } from '../entry.ts';
import type { FailedRefundMove } from '../money-moves.ts';
import { accountOf, headOf, moneyOf, nothingSold, typeMoney } from './parts.ts';
import { refundEntry, withoutKept } from './refund.ts';

/**
 * The reverse of the entry of the refund. If only a part failed, that is revenue of its memberships again: only these are paid by several
 * charges.
 */
export function failedRefundEntry({ order, tickets, memberships, failure }: FailedRefundMove): NewEntry {
  const { refund, failedMinor, isWhole } = failure;
  if (isWhole) return { ...reversed(refundEntry({ order, tickets, memberships, refund })), kind: 'refund_failed' };
  const own = ownMemberships(memberships, refund);
  const beyondMinor = beyondMemberships({ memberships }, failure);
  const kept = withoutKept(own, ticketsCostMinor(own) - failedMinor + beyondMinor, order.currency);
  return {
    ...nothingSold,
    ...headOf('refund_failed', order),
    types: typeMoney(kept, 1).map((type) => ({ ...type, quantity: 0 })),
    transactionFeeMinor: beyondMinor,
    money: moneyOf([accountOf(order), failedMinor]),
  };
}

const ownMemberships = (memberships: readonly OrderMembership[], { memberIds }: RefundRecord) =>
  memberships.filter(({ memberId }) => memberIds.includes(memberId));

/** What failed beyond the price of the memberships: a charge that paid for tickets too. It is booked as that of the order. */
export function beyondMemberships(
  { memberships }: Pick<OrderWithTickets, 'memberships'>,
  { refund, failedMinor }: Pick<FailedRefundMove['failure'], 'refund' | 'failedMinor'>,
): number {
  return Math.max(0, failedMinor - ticketsCostMinor(ownMemberships(memberships, refund)));
}

function reversed({ prices, types, transactionFeeMinor, money, ...entry }: NewEntry): NewEntry {
  const reversedSold = <Sold extends SoldMoney>(sold: Sold): Sold => ({
    ...sold,
    quantity: negative(sold.quantity),
    netMinor: negative(sold.netMinor),
    taxMinor: negative(sold.taxMinor),
    serviceFeeMinor: negative(sold.serviceFeeMinor),
    serviceTaxMinor: negative(sold.serviceTaxMinor),
  });
  return {
    ...entry,
    prices: prices.map(reversedSold),
    types: types.map(reversedSold),
    transactionFeeMinor: negative(transactionFeeMinor),
    money: Object.fromEntries(Object.entries(money).map(([account, amountMinor]) => [account, negative(amountMinor)])),
  };
}
