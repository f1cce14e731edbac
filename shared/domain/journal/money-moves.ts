import type { FailedRefund } from '../orders/change-order.ts';
import type { OrderRecord, OrderWithTickets } from '../orders/order.ts';
import type { RefundRecord } from '../orders/refund.ts';
import type { OrderPayment, Tender } from '../orders/tender.ts';
import type { NewEntry } from './entry.ts';

/**
 * Whatever moves money. The journal has one entry for each, which `journalItems` of shared/data/journal adds to the transaction that
 * records the move (ADR 52). A write-off is a part of the refund of memberships.
 */
export type MoneyMove =
  | Sale
  | Refund
  | FailedRefundMove
  | PaidInstalment
  | PaidInvoiceMove
  | ReturnedInstalments
  | FailedReturn
  | DisputedMoney
  | AddressGiven;

/** An order that is sold here. Part of it may be paid later. */
export interface Sale extends OrderWithTickets {
  readonly moved: 'sale';
  readonly receivableMinor: number;
}

/** What is returned of an order, and what is not: written off, kept, or returned outside. */
export type RefundAmounts = Pick<
  RefundRecord,
  'amountMinor' | 'writtenOffMinor' | 'keptMinor' | 'elsewhereMinor' | 'returnedBy'
>;

/** Tickets and memberships of an order that are refunded. */
export interface Refund extends OrderWithTickets {
  readonly moved: 'refund';
  readonly refund: RefundAmounts;
}

/** A refund that the provider did not return after all. The units are those of the refund, or all of the order if only a part failed. */
export interface FailedRefundMove extends OrderWithTickets {
  readonly moved: 'failed_refund';
  readonly failure: FailedRefund;
}

/** An instalment that was paid, by card unless the organisation received it in another way. */
export interface PaidInstalment {
  readonly moved: 'instalment';
  readonly plan: Pick<NewEntry, 'orderId' | 'eventId' | 'currency'>;
  readonly amountMinor: number;
  /** How the organisation received it; undefined if the card was charged. */
  readonly tender?: Tender | undefined;
}

/** What was received for an invoice. */
export interface PaidInvoiceMove {
  readonly moved: 'payment';
  readonly order: OrderRecord;
  readonly payment: OrderPayment;
}

/** Instalments that a refund returned before it was refused: the membership goes on, and they are owed again. */
export interface ReturnedInstalments {
  readonly moved: 'returned_instalments';
  readonly order: OrderRecord;
  readonly amountMinor: number;
}

/**
 * Such an instalment that was not returned after all. It is not owed any more; if somebody paid it meanwhile, or it was written off, the
 * organisation returns the money in another way.
 */
export interface FailedReturn {
  readonly moved: 'failed_return';
  readonly order: OrderRecord;
  readonly amountMinor: number;
  readonly account: 'receivable' | 'other';
}

/** Money that a bank has withdrawn because of a dispute, or has returned. */
export interface DisputedMoney {
  readonly moved: 'dispute';
  readonly order: OrderRecord;
  readonly direction: 'withdrawn' | 'returned';
  readonly amountMinor: number;
}

/** An invoice address that was given after the sale. It moves no money; its entry replaces the receipt in the order of all documents. */
export interface AddressGiven {
  readonly moved: 'invoice_address';
  readonly order: OrderRecord;
}
