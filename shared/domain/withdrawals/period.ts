import type { TermDates } from '../members/next-term.ts';
import { monthsLater } from '../members/term.ts';
import { localDayEnd, localDayStart, localDaysLater } from '../time/local-time.ts';

interface SoldType {
  readonly withdrawalDays: number;
  readonly termMonths: number | null;
}

interface Purchase {
  readonly isAutoRenewal: boolean;
  readonly dates: TermDates;
  readonly nowUnix: number;
  readonly timezone: string;
}

/** An automatic renewal for so many months opens the period again. */
const longRenewalMonths = 12;

/**
 * The first second after the period in which a buyer can withdraw: the day of the purchase does not count, and the last day counts
 * to its end by the local calendar. Undefined if there is no right of withdrawal.
 */
export function withdrawalEndUnix(type: SoldType, { isAutoRenewal, dates, ...sale }: Purchase): number | undefined {
  const { nowUnix, timezone } = sale;
  if (type.withdrawalDays === 0 || (isAutoRenewal && !isLong(type, dates, timezone))) return undefined;
  return localDayEnd(localDaysLater(nowUnix, type.withdrawalDays, timezone), timezone);
}

function isLong({ termMonths }: SoldType, { fromUnix, untilUnix }: TermDates, timezone: string): boolean {
  if (termMonths !== null) return termMonths >= longRenewalMonths;
  return untilUnix === null || untilUnix >= localDayStart(monthsLater(fromUnix, longRenewalMonths, timezone), timezone);
}

/** A request that was made in time may be confirmed a day later, so gates and sales still say then what was used. */
export const usesCountUntil = (withdrawalEndsUnix: number): number => withdrawalEndsUnix + 86_400;
