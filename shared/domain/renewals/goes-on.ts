import { type EndingMember, endUnixOf } from '../members/end.ts';
import type { RenewalRecord } from './renewal.ts';

const hourSeconds = 3_600;
/** The worker charges within minutes. What it has not charged after so long, it cannot charge for now. */
export const lateSeconds = 900;
/** Longer than the longest pause before the next try, so a try always comes before the end. */
const spareSeconds = 7 * hourSeconds;
/** So much is given at a time: who is declined after the fault does not keep the membership for long. */
const stepSeconds = 12 * hourSeconds;
/** As long as members are admitted by default whose instalment is overdue. */
const maxSeconds = 14 * 24 * hourSeconds;

/**
 * Until when a membership goes on whose renewal is due and could not be charged, though nobody declined it: our key, the account, the
 * provider or the worker has a fault, and the member has not. Undefined if nothing changes. What lapsed after a decline does not come back.
 */
export function goesOnWhileDue(
  { isOn, round }: Pick<RenewalRecord, 'isOn' | 'round'>,
  member: EndingMember,
  nowUnix: number,
): number | undefined {
  const endUnix = endUnixOf(member);
  if (!isOn || round === null || endUnix === null || member.expiresUnix !== round.expiresUnix) return undefined;
  const sinceUnix = dueSinceUnix(round, endUnix > nowUnix);
  if (sinceUnix === null || nowUnix < sinceUnix + lateSeconds || endUnix >= nowUnix + spareSeconds) return undefined;
  const untilUnix = Math.min(nowUnix + stepSeconds, round.expiresUnix + maxSeconds);
  return untilUnix > Math.max(endUnix, nowUnix) ? untilUnix : undefined;
}

function dueSinceUnix(
  { status, dueUnix, retryUnix }: NonNullable<RenewalRecord['round']>,
  isCurrent: boolean,
): number | null {
  if (status === 'announced') return dueUnix;
  return status === 'failed' && isCurrent ? retryUnix : null;
}
