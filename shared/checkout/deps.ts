import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { BasketCustomer } from '../domain/baskets/basket.ts';
import type { RecordedSale } from '../domain/orders/order.ts';
import type { Payments } from '../payments/payments.ts';
import type { Clock } from '../platform/clock.ts';

/** What every step of a checkout works with. */
export interface Desk {
  readonly table: Table;
  readonly orgId: string;
  readonly payments: Payments;
  readonly clock: Clock;
}

/** A basket that became an order. */
export interface Confirmed {
  readonly outcome: 'confirmed';
  readonly sale: RecordedSale;
  readonly customer: BasketCustomer;
}

/** What goes into the transaction of the order. */
export type AlongOrder = (confirmed: Confirmed) => readonly TransactItem[];
