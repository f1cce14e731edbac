import type { NewEntry } from '../entry.ts';
import type { FailedReturn, PaidInstalment, ReturnedInstalments } from '../money-moves.ts';
import { headOf, moneyOf, nothingSold, tenderAccounts } from './parts.ts';

/** What was owed is received. */
export function instalmentEntry({ plan, amountMinor, tender }: PaidInstalment): NewEntry {
  const { orderId, eventId, currency } = plan;
  return {
    ...nothingSold,
    kind: 'instalment',
    orderId,
    eventId,
    currency,
    money: moneyOf([tender ? tenderAccounts[tender.kind] : 'card', amountMinor], ['receivable', -amountMinor]),
    ...(tender !== undefined && { tender }),
  };
}

/** What was received is owed again. */
export function returnedInstalmentsEntry({ order, amountMinor }: ReturnedInstalments): NewEntry {
  const money = moneyOf(['card', -amountMinor], ['receivable', amountMinor]);
  return { ...nothingSold, ...headOf('refund', order), money };
}

/** It is received once more, and is not owed any more or goes back in another way. */
export function failedReturnEntry({ order, amountMinor, account }: FailedReturn): NewEntry {
  const money = moneyOf(['card', amountMinor], [account, -amountMinor]);
  return { ...nothingSold, ...headOf('refund_failed', order), money };
}
