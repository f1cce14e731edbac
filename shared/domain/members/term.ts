import { localDayEnd, localUnix } from '../time/local-time.ts';
import type { MemberStatusId } from './status.ts';

/** A refund or a cancellation ends a term at once; otherwise its dates say whether it is current. */
export const termStates = ['active', 'cancelled', 'refunded'] as const;
export type TermState = (typeof termStates)[number];

/** What somebody bought: a membership of one type from one second to another. Terms are the history of a member. */
export interface TermRecord {
  readonly termId: number;
  readonly memberId: number;
  readonly typeId: number;
  readonly fromUnix: number;
  /** Null if the membership does not end. */
  readonly untilUnix: number | null;
  readonly orderId: number;
  /** What it cost: its share of the price less its discount, in minor units of the currency. */
  readonly priceMinor: number;
  readonly currency: string;
  readonly state: TermState;
  /** Null if the term made its member. */
  readonly before: MemberBefore | null;
  /** The term that this one replaced when it began; null if it replaced none. */
  readonly replacesTermId: number | null;
  /** Whether the organisation gave it away: it is not renewed by itself. Absent if it was sold. */
  readonly isComplimentary?: boolean | undefined;
  /** Whether its own order has tickets at a price for members of its type: a withdrawal finds it used. Absent if not, or if nobody can withdraw. */
  readonly provesPrices?: boolean | undefined;
}

/** A member as its term found it. A member without an earlier term, such as an imported one, returns to it when the term is refunded. */
export interface MemberBefore {
  readonly expiresUnix: number | null;
  readonly orderId: string | null;
  readonly typeId: number | null;
  readonly statusId: MemberStatusId;
}

export interface TermRule {
  readonly termMonths: number | null;
  readonly expiresUnix: number | null;
}

/** When a term ends that begins now: with the local day so many months later, or when the type expires. */
export function termEndUnix(
  { termMonths, expiresUnix }: TermRule,
  fromUnix: number,
  timezone: string,
  day?: number,
): number | null {
  return termMonths === null ? expiresUnix : localDayEnd(monthsLater(fromUnix, termMonths, timezone, day), timezone);
}

/** The day of the month, by the local calendar. */
export const localDayOfMonth = (unix: number, timezone: string): number =>
  new Date(localUnix(unix, timezone) * 1000).getUTCDate();

/**
 * Noon of the local day so many months later, on the same day of the month or on another one. A month that is too short has its last
 * day instead: 31 January, 28 February.
 */
export function monthsLater(unix: number, months: number, timezone: string, day?: number): number {
  const local = new Date(localUnix(unix, timezone) * 1000);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const noon = Date.UTC(year, month, Math.min(day ?? local.getUTCDate(), lastDay), 12) / 1000;
  return noon - (localUnix(noon, timezone) - noon);
}
