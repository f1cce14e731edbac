/** After the attempt at once: how long to wait before each further one. */
const stepsSeconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** So that deliveries that failed together do not come back together. */
const jitter = 0.2;

/** A receiver may ask for more time than the step gives, but not to be forgotten. */
export const longestRetryAfterMs = 6 * 3_600_000;

/**
 * How long to wait after a number of failed attempts; undefined when all are spent. `luck` is a random number from 0 to 1;
 * `retryAfterMs` is what the receiver asked for.
 */
export function waitAfter(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const step = stepsSeconds[attempts - 1];
  if (step === undefined) return undefined;
  const waitMs = Math.round(step * 1_000 * (1 - jitter + 2 * jitter * random));
  return Math.max(waitMs, Math.min(retryAfterMs, longestRetryAfterMs));
}

/** The header is a number of seconds or a date; anything else asks for nothing. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
