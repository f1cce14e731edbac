import type { NewEntry } from '../entry.ts';
import type { MoneyMove } from '../money-moves.ts';
import { disputeEntry } from './dispute.ts';
import { failedRefundEntry } from './failed-refund.ts';
import { failedReturnEntry, instalmentEntry, returnedInstalmentsEntry } from './instalment.ts';
import { invoiceAddressEntry } from './invoice-address.ts';
import { paymentEntry } from './payment.ts';
import { refundEntry } from './refund.ts';
import { saleEntry } from './sale.ts';

/** The entry of what moved money. Undefined if the sale of the order has none: it was free, imported, or sold before the journal. */
export function entryOf(move: MoneyMove): NewEntry | undefined {
  // A plan has instalments only of an order that is booked.
  if (move.moved !== 'instalment' && !move.order.isBooked) return undefined;
  switch (move.moved) {
    case 'sale':
      return saleEntry(move);
    case 'refund':
      return refundEntry(move);
    case 'failed_refund':
      return failedRefundEntry(move);
    case 'instalment':
      return instalmentEntry(move);
    case 'payment':
      return paymentEntry(move);
    case 'returned_instalments':
      return returnedInstalmentsEntry(move);
    case 'failed_return':
      return failedReturnEntry(move);
    case 'dispute':
      return disputeEntry(move);
    case 'invoice_address':
      return invoiceAddressEntry(move);
  }
}
