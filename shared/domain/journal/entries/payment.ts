import type { NewEntry } from '../entry.ts';
import type { PaidInvoiceMove } from '../money-moves.ts';
import { headOf, moneyOf, nothingSold, tenderAccounts } from './parts.ts';

/** What was owed of an invoice is received. */
export function paymentEntry({ order, payment }: PaidInvoiceMove): NewEntry {
  const { kind, amountMinor, reference, station, operator } = payment;
  return {
    ...nothingSold,
    ...headOf('payment', order),
    money: moneyOf([tenderAccounts[kind], amountMinor], ['receivable', -amountMinor]),
    tender: { kind, reference, station, operator },
  };
}
