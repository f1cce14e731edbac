import { idOf } from '../../shared/domain/ids.ts';
import { sumOf } from '../../shared/domain/money.ts';
import type { NewOrder, SoldTicket } from '../../shared/domain/orders/order.ts';
import type { NewPayment } from '../../shared/domain/orders/pay-invoice.ts';
import type { HandledBy, TenderKind } from '../../shared/domain/orders/tender.ts';
import { ticketCostMinor, ticketPriceMinor } from '../../shared/domain/orders/ticket-money.ts';

const day = 86_400;
const hour = 3_600;

/** A sale at the counter, and the order of the season that it takes the place of. */
interface CounterSale {
  readonly replaces: NewOrder;
  readonly order: NewOrder;
  /** What was received later for an invoice. */
  readonly payment?: NewPayment;
}

const atTill: HandledBy = { reference: null, station: 'Main entrance', operator: '7' };

/**
 * What the counter sold of an event: for cash and with the terminal yesterday evening, for nothing, and on an invoice that is overdue and half
 * paid. They take the place of orders of the season, which has as many with and without them. None if too little was sold.
 */
export function counterSales(orders: readonly NewOrder[], todayUnix: number): readonly CounterSale[] {
  const paid = orders.filter(({ tickets }) => sumOf(tickets.map(ticketCostMinor)) > 0);
  const [first, second, third] = paid.filter(({ userId }) => userId === null);
  const debtor = paid.find(({ userId, placedUnix }) => userId !== null && placedUnix < todayUnix - 20 * day);
  if (first === undefined || second === undefined || third === undefined || debtor === undefined) return [];
  const owed = sold(debtor, 'invoice', debtor.placedUnix);
  const amountMinor = Math.ceil(sumOf(owed.tickets.map(ticketCostMinor)) / 2);
  return [
    { replaces: first, order: sold(first, 'cash', todayUnix - 4 * hour) },
    { replaces: second, order: sold(second, 'terminal', todayUnix - 3 * hour) },
    { replaces: third, order: givenAway(sold(third, 'complimentary', todayUnix - 2 * hour)) },
    {
      replaces: debtor,
      order: { ...owed, tender: { ...atTill, kind: 'invoice', dueUnix: todayUnix - 6 * day } },
      payment: { ...atTill, kind: 'bank_transfer', amountMinor, atUnix: todayUnix - hour },
    },
  ];
}

/** The order as the counter sells it: no fee is added, and the journal has it. Its number within the second stays. */
function sold(order: NewOrder, kind: TenderKind, placedUnix: number): NewOrder {
  const { orderId, discountMinor: _, ...kept } = order;
  return {
    ...kept,
    orderId: idOf(placedUnix, orderId - idOf(order.placedUnix, 0)),
    placedUnix,
    transactionFeeMinor: 0,
    discountMinor: 0,
    paymentMethod: kind,
    tender: { ...atTill, kind, ...(kind === 'complimentary' && { reason: 'Guests of a sponsor' }) },
    isBooked: true,
  };
}

function givenAway(order: NewOrder): NewOrder {
  const tickets = order.tickets.map(
    (ticket): SoldTicket => ({
      ...ticket,
      discountMinor: ticketPriceMinor(ticket),
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
      taxMinor: 0,
    }),
  );
  return { ...order, tickets, discountMinor: sumOf(tickets.map(({ discountMinor }) => discountMinor)) };
}
