import type { Basket } from '../../shared/domain/baskets/basket.ts';
import { majorUnits, moneyText, sumOf } from '../../shared/domain/money.ts';
import type { OrderWithTickets } from '../../shared/domain/orders/order.ts';
import { ticketCostMinor } from '../../shared/domain/orders/ticket-money.ts';
import { shownEventId } from '../../shared/mappers/order.ts';
import { alignColumns, orDash, showTime } from './text.ts';

const ticketStatuses = ['pending', 'active', 'cancelled', 'refunded'] as const;

/** An order as JSON: fields of the API, and its payment and refunds, which the API does not show. */
export function orderDocument(placed: OrderWithTickets, basket: Basket | undefined): Record<string, unknown> {
  const { order } = placed;
  const payment = basket?.payment;
  return {
    order_id: order.orderId,
    order_uuid: order.orderUuid,
    order_status: order.status,
    order_date: order.placedUnix,
    event_id: shownEventId(order),
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
    refunds: (basket?.refunds ?? []).map(
      ({ number, amountMinor, state, ticketIds, memberIds, failedCharges = [] }) => ({
        refund: number,
        amount: majorUnits(amountMinor, order.currency),
        state,
        failed: majorUnits(sumOf(failedCharges.map((one) => one.amountMinor)), order.currency),
        ticket_ids: ticketIds,
        membership_member_ids: memberIds,
      }),
    ),
    tickets: placed.tickets.map((ticket) => ({
      ticket_id: ticket.ticketId,
      ticket_status: ticketStatuses[ticket.status],
      price_title: ticket.priceTitle,
      paid: majorUnits(ticketCostMinor(ticket), order.currency),
    })),
    memberships: placed.memberships.map((membership) => ({
      membership_member_id: membership.memberId,
      membership_status: ticketStatuses[membership.status],
      type_title: membership.typeTitle,
      paid: majorUnits(ticketCostMinor(membership), order.currency),
    })),
  };
}

/** An order as text. */
export function orderSheet(placed: OrderWithTickets, basket: Basket | undefined): string {
  const { order } = placed;
  const money = (minor: number): string => moneyText(minor, order.currency);
  const payment = basket?.payment;
  const head = [
    ['order', `${order.orderId} (${order.orderUuid})`],
    ['status', order.status],
    ['placed', showTime(order.placedUnix)],
    ['event', orDash(shownEventId(order))],
    ['buyer', orDash(order.userId === null ? null : String(order.userId))],
    ['total', money(order.totalMinor)],
    ['payment', payment ? `${payment.provider} ${payment.chargeId}` : '-'],
    ...(basket?.refunds ?? []).map(({ number, amountMinor, state, failedCharges = [] }) => [
      `refund ${number}`,
      `${money(amountMinor)} ${state}${failedCharges.length > 0 ? ', failed later' : ''}`,
    ]),
  ];
  const rows = [
    ...placed.tickets.map((ticket) => ({ id: ticket.ticketId, title: ticket.priceTitle, ...ticket })),
    ...placed.memberships.map((one) => ({ id: one.memberId, title: one.typeTitle, ...one })),
  ].map((unit) => [String(unit.id), ticketStatuses[unit.status], unit.title, money(ticketCostMinor(unit))]);
  return `${alignColumns(head)}\n\n${alignColumns(rows)}`;
}
