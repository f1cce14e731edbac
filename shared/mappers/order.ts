import { majorUnits } from '../domain/money.ts';
import type { OrderRecord } from '../domain/sale-record.ts';
import type { Order } from '../operations/resources/order.ts';

export function orderResource(order: OrderRecord): Order {
  return {
    order_id: order.orderId,
    order_uuid: order.orderUuid,
    order_status: order.status,
    order_date: order.placedUnix,
    user_id: order.userId,
    first_name: order.firstName,
    last_name: order.lastName,
    email_address: order.emailAddress,
    postcode: order.postcode,
    country_id: order.countryId,
    marketing_opt_in: order.marketingOptIn,
    transaction_fee: majorUnits(order.transactionFeeMinor),
    discount_amount: majorUnits(order.discountMinor),
    payment_method: order.paymentMethod,
  };
}
