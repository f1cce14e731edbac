import { type DeclineReason, declineVerdict } from './decline.ts';

/** What was declined is tried again so many days after it was due. */
const retryDays = [3, 7, 12];
const daySeconds = 86_400;

/** When a declined charge is tried again; undefined if that is useless or was done often enough: then the member has to act. */
export function retryDeclinedUnix(
  dueUnix: number,
  reason: Pick<DeclineReason, 'code'>,
  nowUnix: number,
): number | undefined {
  if (declineVerdict(reason) === 'act') return undefined;
  return retryDays.map((days) => dueUnix + days * daySeconds).find((atUnix) => atUnix > nowUnix);
}
