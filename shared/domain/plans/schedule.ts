import { monthsLater, termEndUnix } from '../members/term.ts';
import { sumOf, wholeShare } from '../money.ts';

/** A way to pay for a membership, as it was offered when the membership was added to the basket. */
export interface OfferedPayment {
  readonly optionId: string;
  readonly title: string;
  /** How many shares the price is divided into, the first of which is due at once. */
  readonly instalments: number;
  /** Every share is due before then; null: before the term ends. */
  readonly fixedEndUnix: number | null;
  /** Whether the membership renews itself; absent if it does not. */
  readonly autoRenewal?: boolean | undefined;
}

/** What a line needs to say when its shares are due. It is frozen like the price. */
export interface LinePayments {
  readonly timezone: string;
  readonly termMonths: number | null;
  readonly expiresUnix: number | null;
  readonly options: readonly OfferedPayment[];
}

export interface PlannedInstalment {
  readonly dueUnix: number;
  readonly amountMinor: number;
}

interface Purchase {
  readonly amountMinor: number;
  readonly currency: string;
  readonly nowUnix: number;
  /** Spreads the plans of a day over it: the id of the basket. */
  readonly seed: number;
}

/**
 * Divides an amount into equal shares. The first is due now and has what the division leaves; the others are due monthly on the
 * same local day, where the 31st becomes the last day. A share that would be due too late is not made, so there may be fewer.
 */
export function scheduleOf(
  { timezone, termMonths, expiresUnix }: Omit<LinePayments, 'options'>,
  { instalments, fixedEndUnix }: Pick<OfferedPayment, 'instalments' | 'fixedEndUnix'>,
  { amountMinor, currency, nowUnix, seed }: Purchase,
): readonly PlannedInstalment[] {
  const endUnix = fixedEndUnix ?? termEndUnix({ termMonths, expiresUnix }, nowUnix, timezone);
  const later = Array.from({ length: Math.max(0, instalments - 1) }, (_, index) =>
    timeOfDay(monthsLater(nowUnix, index + 1, timezone), seed),
  );
  const inTime = later.filter((dueUnix) => endUnix === null || dueUnix < endUnix);
  // An amount of so few units that a share would be nothing is paid at once.
  const share = wholeShare(amountMinor, inTime.length + 1, currency);
  const dueLater = share === 0 ? [] : inTime;
  return [
    { dueUnix: nowUnix, amountMinor: amountMinor - dueLater.length * share },
    ...dueLater.map((dueUnix) => ({ dueUnix, amountMinor: share })),
  ];
}

/** Charges without the member are spread from 6:00 to 18:00 of their local day, so that thousands are not due in the same second. */
const spreadSeconds = 12 * 3_600;

export function timeOfDay(noonUnix: number, seed: number): number {
  return noonUnix - spreadSeconds / 2 + (Math.floor(seed / 64) % spreadSeconds);
}

/** What is due after the purchase. */
export function laterMinor(instalments: readonly PlannedInstalment[]): number {
  return sumOf(instalments.slice(1).map(({ amountMinor }) => amountMinor));
}
