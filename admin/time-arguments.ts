import { defaultOverlapSeconds } from '../shared/domain/auth/api-keys.ts';
import type { ArgumentType } from './arguments.ts';
import { usageError } from './failure.ts';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `90d` in seconds. */
function durationSeconds(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  return seconds === undefined ? undefined : Number(count) * seconds;
}

/** Midnight UTC at the start of a day; undefined for a day that no calendar has. */
function dayUnix(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day.getTime() / 1000 : undefined;
}

function unixTime(text: string): number | undefined {
  return /^\d{9,10}$/.test(text) ? Number(text) : undefined;
}

/** Ten digits of Unix seconds end in the year 2286. A later time is a typing error. */
const lastUnix = 9_999_999_999;

export const expiryHelp =
  'a duration such as 90d (s, m, h, d or w), a date such as 2027-01-31 (expires at 00:00 UTC), Unix seconds, or never; not in the past';

/** When something expires: at a time in Unix seconds, or so many seconds after the command has run. */
type Expiry = 'never' | { readonly atUnix: number } | { readonly afterSeconds: number };

export const expiry: ArgumentType<Expiry> = {
  allowed: expiryHelp,
  parse(text) {
    if (text === 'never') return text;
    const afterSeconds = durationSeconds(text);
    if (afterSeconds !== undefined) return afterSeconds > 0 ? { afterSeconds } : undefined;
    const atUnix = dayUnix(text) ?? unixTime(text);
    return atUnix === undefined ? undefined : { atUnix };
  },
};

/** The expiry as records have it: null for never. The time is the stage's own, which is known once the table is open. */
export function expiresUnixOf(expires: Expiry, nowUnix: number): number | null {
  if (expires === 'never') return null;
  const unix = 'atUnix' in expires ? expires.atUnix : nowUnix + expires.afterSeconds;
  if (unix > nowUnix && unix <= lastUnix) return unix;
  const now = new Date(nowUnix * 1000).toISOString();
  throw usageError(`The time of --expires is not allowed: it is ${now} now. Allowed: ${expiryHelp}.`, '--expires');
}

const longestOverlapSeconds = 365 * 86_400;

/** How long a replaced key still works, in seconds. */
export const overlap: ArgumentType<number> = {
  allowed: '0 (the old key stops working at once), or a duration such as 24h (s, m, h, d or w) of at most 365d',
  parse(text) {
    const seconds = text === '0' ? 0 : durationSeconds(text);
    return seconds !== undefined && seconds <= longestOverlapSeconds ? seconds : undefined;
  },
};

/** When a replaced key ends, in words: `in 24 hours`. */
export function endOfOverlap(seconds: number = defaultOverlapSeconds): string {
  if (seconds === 0) return 'at once, for ever';
  return `in ${seconds % 3_600 === 0 ? `${seconds / 3_600} hours` : `${seconds} seconds`}, for ever`;
}
