import type { CustomerRecord } from '../customers/customer.ts';
import type { NewOrder, SoldTicket } from '../orders/order.ts';
import type { Basket, Checkout } from './basket.ts';
import { lineItemTickets } from './money.ts';

interface Drawn {
  readonly orderUuid: string;
  /** Another one each time it is asked. */
  barcode(): string;
}

/** The sale that a paid basket becomes. Buyers are called what they called themselves this time, whatever we knew before. */
export function newOrderOf(
  { basketId, eventId, currency, lines }: Basket,
  { buyer, paymentMethod }: Checkout,
  customer: CustomerRecord,
  { drawn, nowUnix }: { readonly drawn: Drawn; readonly nowUnix: number },
): NewOrder {
  const buyerName = `${buyer.firstName} ${buyer.lastName}`.trim();
  return {
    orderId: basketId,
    orderUuid: drawn.orderUuid,
    eventId: eventId ?? 0,
    placedUnix: nowUnix,
    currency: currency ?? '',
    status: 'confirmed',
    transactionFeeMinor: 0,
    discountMinor: 0,
    paymentMethod,
    userId: customer.userId,
    firstName: buyer.firstName,
    lastName: buyer.lastName,
    emailAddress: buyer.emailAddress,
    postcode: customer.postcode,
    countryId: null,
    marketingOptIn: false,
    tickets: lines.flatMap(lineItemTickets).map(
      ({ line, ...money }, index): SoldTicket => ({
        ...money,
        barcode: drawn.barcode(),
        priceId: line.priceId,
        priceIndex: line.priceIndex,
        priceTitle: line.title,
        categoryId: line.categoryId,
        categoryTitle: line.categoryTitle,
        // Who the others are for, nobody has said.
        ticketName: index === 0 ? buyerName : null,
      }),
    ),
  };
}
