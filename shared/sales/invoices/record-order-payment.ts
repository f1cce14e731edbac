import { readOrderAt } from '../../data/orders/read.ts';
import { recordPayment } from '../../data/orders/record-payment.ts';
import type { OrderRef } from '../../data/orders/row.ts';
import type { Table } from '../../data/table/table.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { minorUnits } from '../../domain/money.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import type { NewPayment, PaidInvoice } from '../../domain/orders/pay-invoice.ts';
import type { HandledBy, OrderPayment, ReceivedKind } from '../../domain/orders/tender.ts';
import { orderPaymentRecorded } from '../../mappers/order-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import type { Clock } from '../../platform/clock.ts';
import { readOrderContext } from '../refunds/cancel-or-refund-tickets.ts';

interface PaymentDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
  readonly requestId: string | undefined;
}

export interface ReceivedPayment extends HandledBy {
  readonly kind: ReceivedKind;
  /** In major units of the currency of the order. */
  readonly amount: number;
}

type Recorded = PaidInvoice | { readonly outcome: 'no_amount'; readonly currency: string };

/** Records what was received for an invoice, and announces it in the same transaction. */
export async function recordOrderPayment(
  { table, orgId, clock, requestId }: PaymentDeps,
  ref: OrderRef,
  { amount, ...received }: ReceivedPayment,
  receipt: (order: OrderRecord, payment: OrderPayment) => readonly TransactItem[],
): Promise<Recorded> {
  const { order } = await readOrderAt(table, orgId, ref);
  const { event, fan } = await readOrderContext({ table, orgId }, order);
  const amountMinor = minorUnits(amount, order.currency);
  if (amountMinor === undefined || amountMinor <= 0) return { outcome: 'no_amount', currency: order.currency };
  const paymentAt = (): NewPayment => ({ ...received, amountMinor, atUnix: Math.floor(clock.nowMs() / 1000) });
  return recordPayment(table, orgId, { ref, paymentAt, nowMs: () => clock.nowMs() }, ({ after, payment }) => {
    // The buyer may have been erased since.
    const known = after.order.emailAddress === null ? undefined : fan;
    const announced = orderPaymentRecorded(orgId, after, payment, { event, fan: known });
    return [
      ...outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId }),
      ...receipt(after.order, payment),
    ];
  });
}
