/** The first attempt is made at once. These are the delays before each further one. */
const stepsSeconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** Spreads the retries of deliveries that failed at the same time. */
const jitter = 0.2;

/** A receiver may request a longer delay than the schedule has, up to this maximum. */
export const maxRetryAfterMs = 6 * 3_600_000;

/**
 * Returns the delay after a number of failed attempts; undefined if all attempts are used up. `random` is a number from 0 to
 * 1; `retryAfterMs` is the delay that the receiver requested.
 */
export function retryDelayMs(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const step = stepsSeconds[attempts - 1];
  if (step === undefined) return undefined;
  const waitMs = Math.round(step * 1_000 * (1 - jitter + 2 * jitter * random));
  return Math.max(waitMs, Math.min(retryAfterMs, maxRetryAfterMs));
}

/** The header is a number of seconds or a date. Anything else is ignored. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
