import { wantsMarketingEmails } from '../customers/consents.ts';
import type { CustomerRecord } from '../customers/customer.ts';
import { sumOf } from '../money.ts';
import { labelsOf } from '../orders/labels.ts';
import type { OrderMembership } from '../orders/membership.ts';
import { erasedBuyer, type NewOrder, noEventId, type SoldTicket } from '../orders/order.ts';
import { ticketCostMinor } from '../orders/ticket-money.ts';
import { ticketSeat } from '../orders/ticket-seat.ts';
import { ticketStatusOf } from '../orders/ticket-status.ts';
import type { Basket, BasketBuyer, Checkout } from './basket.ts';
import { holderName, isUnknownHolder } from './holders.ts';
import { isTicketLine } from './line-item.ts';
import { renewedMembersIn, withNewMembers } from './member-limits.ts';
import { lineItemUnits } from './money.ts';

interface GeneratedIds {
  readonly orderUuid: string;
  /** Returns a new barcode at each call. */
  barcode(): string;
}

interface OrderParts {
  readonly generated: GeneratedIds;
  readonly memberships: readonly OrderMembership[];
  readonly nowUnix: number;
}

/** The buyer as the order has them. What the buyer agreed to is the customer's, apart from marketing by email. */
function ofBuyer({ consents, ...buyer }: BasketBuyer, customer: CustomerRecord | null) {
  const marketingOptIn = wantsMarketingEmails(consents?.said ?? []) ?? false;
  return { ...buyer, postcode: customer?.postcode ?? null, marketingOptIn };
}

/** The kind of a payment whose provider does not name it. */
const defaultPaymentKind = 'card';

/**
 * Returns the order of a paid basket. The buyer's name is the one given at checkout, even if the customer has another one. If
 * the buyer was erased, or a tender names nobody, the order has no personal data.
 */
export function newOrderOf(
  basket: Basket,
  { buyer, charge, methodKind, tender }: Checkout,
  customer: CustomerRecord | null,
  { generated, memberships, nowUnix }: OrderParts,
): NewOrder {
  const { basketId, eventId, currency, lines, reservation, personReservation, code } = basket;
  const buyerName = buyer === null ? null : `${buyer.firstName} ${buyer.lastName}`.trim();
  const tickets = lines.filter(isTicketLine).flatMap((line) => lineItemUnits(line, currency ?? ''));
  const isUnpaid = tender?.valid === 'when_paid' && tickets.some((ticket) => ticketCostMinor(ticket) > 0);
  const renewed = new Set(renewedMembersIn(lines).map(({ memberId }) => memberId));
  // Without holders the first ticket is the buyer's, and the names of the other people are unknown.
  const nameWithoutHolder = (index: number): string | null => (index === 0 ? buyerName : null);
  return {
    orderId: basketId,
    orderUuid: generated.orderUuid,
    eventId: eventId ?? noEventId,
    placedUnix: nowUnix,
    currency: currency ?? '',
    status: 'confirmed',
    transactionFeeMinor: 0,
    discountMinor: sumOf([...tickets, ...memberships].map(({ discountMinor }) => discountMinor)),
    paymentMethod: tender?.kind ?? (charge === null ? null : (methodKind ?? defaultPaymentKind)),
    ...(tender != null && { tender }),
    userId: customer?.userId ?? null,
    ...erasedBuyer,
    ...(buyer !== null && ofBuyer(buyer, customer)),
    ...(reservation !== null &&
      customer !== null && {
        reservation: withNewMembers(reservation, {
          memberIds: memberships.map(({ memberId }) => memberId).filter((memberId) => !renewed.has(memberId)),
          userId: customer.userId,
        }),
      }),
    ...(personReservation !== null && { personReservation }),
    ...(code !== null && { code: code.code }),
    ...labelsOf(basket),
    isBooked: [...tickets, ...memberships].some(({ faceMinor }) => faceMinor > 0),
    memberships,
    tickets: tickets.map(
      ({ line, holder, seat, ...money }, index): SoldTicket => ({
        ...money,
        ...ticketSeat(seat),
        barcode: generated.barcode(),
        ...(isUnpaid && { status: ticketStatusOf.pending }),
        priceId: line.priceId,
        priceIndex: line.priceIndex,
        priceTitle: line.title,
        categoryId: line.categoryId,
        categoryTitle: line.categoryTitle,
        poolIndex: line.pool?.index ?? null,
        ownStock: line.ownStock,
        ticketName: holder === null || isUnknownHolder(holder) ? nameWithoutHolder(index) : holderName(holder),
        holderMemberId: holder?.memberId ?? null,
        ...(line.selfCancel !== undefined && { selfCancel: line.selfCancel }),
      }),
    ),
  };
}
