import { enteredTender } from '../../orders/tender.ts';
import type { NewEntry } from '../entry.ts';
import type { Sale } from '../money-moves.ts';
import { accountOf, headOf, moneyOf, priceMoney, typeMoney } from './parts.ts';

export function saleEntry({ order, tickets, memberships, receivableMinor }: Sale): NewEntry {
  return {
    ...headOf('sale', order),
    prices: priceMoney(tickets, 1),
    types: typeMoney(memberships, 1),
    transactionFeeMinor: order.transactionFeeMinor,
    money: moneyOf([accountOf(order), order.totalMinor - receivableMinor], ['receivable', receivableMinor]),
    ...(order.tender !== undefined && { tender: enteredTender(order.tender) }),
  };
}
