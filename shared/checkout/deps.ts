import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { BasketCustomer } from '../domain/baskets/basket.ts';
import type { OrderWithTickets } from '../domain/orders/order.ts';
import type { Payments } from '../payments/payments.ts';
import type { Clock } from '../platform/clock.ts';

/** The dependencies of every step of a checkout. */
export interface CheckoutDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly payments: Payments;
  readonly clock: Clock;
  /** The API request or the run of the CLI. The sweeper has none: what it completes belongs to the request that began it. */
  readonly requestId: string | undefined;
}

/** A basket that became an order. */
export interface Confirmed {
  readonly outcome: 'confirmed';
  readonly placed: OrderWithTickets;
  readonly customer: BasketCustomer;
}

/** Items that the caller adds to the transaction of the order. */
export type OrderSideEffects = (confirmed: Confirmed) => readonly TransactItem[];
