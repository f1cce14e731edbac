import { chargeablePart } from '../money.ts';
import { localDate } from '../time/local-time.ts';

interface ProRataRule {
  readonly proRata: 'none' | 'month';
  readonly termMonths: number | null;
  readonly expiresUnix: number | null;
  readonly availableFromUnix: number | null;
}

/** The months of a term whose sale has no start. */
const usualMonths = 12;

/**
 * What a term costs less that begins late: the share of the months of the term that are not left as whole ones. At least one is
 * charged, and what is charged is rounded down. The term of a type that expires begins with its sale; a term of so many months never
 * begins late.
 */
export function proRataMinor(
  { proRata, termMonths, expiresUnix, availableFromUnix }: ProRataRule,
  { priceMinor, currency }: { readonly priceMinor: number; readonly currency: string },
  { fromUnix, timezone }: { readonly fromUnix: number; readonly timezone: string },
): number {
  if (proRata === 'none' || termMonths !== null || expiresUnix === null) return 0;
  const wholeMonths = (from: number): number => Math.max(1, monthsBetween(from, expiresUnix, timezone));
  const months = availableFromUnix === null ? usualMonths : wholeMonths(availableFromUnix);
  const left = Math.min(months, wholeMonths(fromUnix));
  return priceMinor - chargeablePart((priceMinor * left) / months, currency);
}

/** The whole months between two seconds, by the local calendar. */
function monthsBetween(fromUnix: number, untilUnix: number, timezone: string): number {
  const [from, until] = [fromUnix, untilUnix].map((unix) => {
    const [year = 0, month = 0, day = 0] = localDate(unix, timezone).split('-').map(Number);
    return { months: year * 12 + month, day };
  });
  if (from === undefined || until === undefined) return 0;
  return until.months - from.months - (until.day < from.day ? 1 : 0);
}
