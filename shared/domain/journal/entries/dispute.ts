import type { NewEntry } from '../entry.ts';
import type { DisputedMoney } from '../money-moves.ts';
import { accountOf, headOf, moneyOf, nothingSold } from './parts.ts';

export function disputeEntry({ order, direction, amountMinor }: DisputedMoney): NewEntry {
  const disputedMinor = direction === 'withdrawn' ? amountMinor : -amountMinor;
  const money = moneyOf([accountOf(order), -disputedMinor], ['disputes', disputedMinor]);
  return { ...nothingSold, ...headOf(`dispute_${direction}`, order), money };
}
