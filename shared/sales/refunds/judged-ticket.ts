import { endingUpdate, type TicketVersion } from '../../data/orders/ticket-ending.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { BasketRefund } from '../../domain/baskets/basket.ts';
import { Fault } from '../../platform/fault.ts';
import type { OrderDeps } from './cancel-or-refund-tickets.ts';

/** The one ticket of a refund, as it was judged: a scan, an offer or another change of it since then refuses the refund. */
export interface JudgedTicket {
  readonly row: TicketVersion;
  readonly checks: readonly TransactItem[];
}

/** The ticket, or what its refund depends on, has changed since it was judged. */
export class TicketChanged extends Error {
  override readonly name = 'TicketChanged';
}

export const checksOf = (judged: JudgedTicket | undefined): readonly TransactItem[] => judged?.checks ?? [];

/** Until the provider has returned the money, the row of the ticket says that it ends. */
export function judgedItems(
  { table, orgId }: OrderDeps,
  judged: JudgedTicket | undefined,
  { number }: BasketRefund,
): readonly TransactItem[] {
  return judged === undefined ? [] : [endingUpdate(table, orgId, judged.row, number), ...judged.checks];
}

export function refusalOf(orderId: number, judged: JudgedTicket | undefined): Error {
  return judged === undefined ? new Fault(`The stock of the order ${orderId} is missing.`) : new TicketChanged();
}
