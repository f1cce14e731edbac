import type { FailedRefund } from '../orders/change-order.ts';
import type { OrderMembership } from '../orders/membership.ts';
import type { OrderRecord, OrderWithTickets } from '../orders/order.ts';
import type { RefundRecord } from '../orders/refund.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import {
  accountOf,
  entryOf,
  moneyOf,
  type NewEntry,
  negative,
  refundEntry,
  type SoldMoney,
  typeMoney,
  withoutKept,
} from './entry.ts';

/**
 * The entry of a refund that the provider did not return after all: the reverse of its entry. If only a part failed, that is revenue of
 * its memberships again: only these are paid by several charges.
 */
export function failedRefundEntry(
  order: OrderRecord,
  { tickets, memberships }: Pick<OrderWithTickets, 'tickets' | 'memberships'>,
  { refund, failedMinor, isWhole }: FailedRefund,
): NewEntry | undefined {
  if (isWhole) {
    const entry = refundEntry(order, { tickets, memberships }, refund);
    return entry && { ...reversed(entry), kind: 'refund_failed' };
  }
  if (!order.isBooked) return undefined;
  const own = ownMemberships(memberships, refund);
  const beyondMinor = beyondMemberships({ memberships }, { refund, failedMinor });
  const kept = withoutKept(own, ticketsCostMinor(own) - failedMinor + beyondMinor, order.currency);
  return {
    ...entryOf('refund_failed', order),
    prices: [],
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
  { refund, failedMinor }: Pick<FailedRefund, 'refund' | 'failedMinor'>,
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
