import type { Basket } from '../../shared/domain/baskets/basket.ts';
import { majorUnits, moneyText } from '../../shared/domain/money.ts';
import type { OrderWithTickets } from '../../shared/domain/orders/order.ts';
import { withDiscounts } from '../../shared/domain/orders/ticket-discounts.ts';
import { ticketCostMinor } from '../../shared/domain/orders/ticket-money.ts';
import { alignColumns, orDash, showTime } from './text.ts';

const ticketStatuses = ['pending', 'active', 'cancelled', 'refunded'] as const;

/** An order as JSON: fields of the API, and its payment and refunds, which the API does not show. */
export function orderDocument(
  { order, tickets }: OrderWithTickets,
  basket: Basket | undefined,
): Record<string, unknown> {
  const payment = basket?.payment;
  return {
    order_id: order.orderId,
    order_uuid: order.orderUuid,
    order_status: order.status,
    order_date: order.placedUnix,
    event_id: String(order.eventId),
    user_id: order.userId,
    total: majorUnits(order.totalMinor, order.currency),
    currency: order.currency,
    payment: payment
      ? {
          provider: payment.provider,
          charge: payment.chargeId,
          account: payment.account,
          payment_method: payment.paymentMethod,
        }
      : null,
    refunds: (basket?.refunds ?? []).map(({ number, amountMinor, state, ticketIds }) => ({
      refund: number,
      amount: majorUnits(amountMinor, order.currency),
      state,
      ticket_ids: ticketIds,
    })),
    tickets: withDiscounts(tickets, order).map((ticket) => ({
      ticket_id: ticket.ticketId,
      ticket_status: ticketStatuses[ticket.status],
      price_title: ticket.priceTitle,
      paid: majorUnits(ticketCostMinor(ticket), order.currency),
    })),
  };
}

/** An order as text. */
export function orderSheet({ order, tickets }: OrderWithTickets, basket: Basket | undefined): string {
  const money = (minor: number): string => moneyText(minor, order.currency);
  const payment = basket?.payment;
  const head = [
    ['order', `${order.orderId} (${order.orderUuid})`],
    ['status', order.status],
    ['placed', showTime(order.placedUnix)],
    ['event', String(order.eventId)],
    ['buyer', orDash(order.userId === null ? null : String(order.userId))],
    ['total', money(order.totalMinor)],
    ['payment', payment ? `${payment.provider} ${payment.chargeId}` : '-'],
    ...(basket?.refunds ?? []).map(({ number, amountMinor, state }) => [
      `refund ${number}`,
      `${money(amountMinor)} ${state}`,
    ]),
  ];
  const rows = withDiscounts(tickets, order).map((ticket) => [
    String(ticket.ticketId),
    ticketStatuses[ticket.status],
    ticket.priceTitle,
    money(ticketCostMinor(ticket)),
  ]);
  return `${alignColumns(head)}\n\n${alignColumns(rows)}`;
}
