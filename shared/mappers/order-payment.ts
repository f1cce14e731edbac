import { majorUnits } from '../domain/money.ts';
import type { OrderRecord } from '../domain/orders/order.ts';
import { invoiceOutstandingMinor, type OrderPayment as PaymentRecord } from '../domain/orders/tender.ts';
import type { OrderPayment, RecordedPayment } from '../operations/schemas/order-payment.ts';

export function orderPayment(
  { orderId, currency }: Pick<OrderRecord, 'orderId' | 'currency'>,
  { number, kind, amountMinor, reference, atUnix }: PaymentRecord,
): OrderPayment {
  return {
    payment_id: `${orderId}-p${number}`,
    kind,
    amount: majorUnits(amountMinor, currency),
    reference,
    at: atUnix,
  };
}

/** The answer to whoever has recorded it. */
export function recordedPayment(order: OrderRecord, payment: PaymentRecord): RecordedPayment {
  return {
    ...orderPayment(order, payment),
    order_id: order.orderId,
    station: payment.station,
    operator: payment.operator,
    currency: order.currency,
    outstanding: majorUnits(invoiceOutstandingMinor(order), order.currency),
  };
}
