import { majorUnits } from '../domain/money.ts';
import { type OrderRecord, type TicketRecord, ticketFeesMinor, ticketPriceMinor } from '../domain/orders/order.ts';
import type { Order } from '../operations/schemas/order.ts';
import type { OrderTicket } from '../operations/schemas/order-ticket.ts';

export function orderResource(record: OrderRecord): Order {
  return {
    order_id: record.orderId,
    order_uuid: record.orderUuid,
    order_status: record.status,
    order_date: record.placedUnix,
    user_id: record.userId,
    first_name: record.firstName,
    last_name: record.lastName,
    email_address: record.emailAddress,
    postcode: record.postcode,
    country_id: record.countryId,
    marketing_opt_in: record.marketingOptIn,
    transaction_fee: majorUnits(record.transactionFeeMinor, record.currency),
    discount_amount: majorUnits(record.discountMinor, record.currency),
    payment_method: record.paymentMethod,
  };
}

export function orderTicket(record: TicketRecord, currency: string): OrderTicket {
  return {
    ticket_id: record.ticketId,
    barcode: record.barcode,
    price_id: record.priceId,
    price_title: record.priceTitle,
    ticket_name: record.ticketName,
    price: majorUnits(ticketPriceMinor(record), currency),
    fees: majorUnits(ticketFeesMinor(record), currency),
  };
}
