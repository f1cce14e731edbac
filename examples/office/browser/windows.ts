import { fromLocal, toLocal } from './local-time.ts';

/** A stretch of time that is one bar of a chart: from its first second, until before its last. */
export interface Window {
  readonly fromMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;

/** The last periods of whole days on the clocks of this time zone, the earliest first. The day of `endMs` is the last one. */
export function dayWindows(
  endMs: number,
  timeZone: string,
  { count, days }: { count: number; days: number },
): Window[] {
  // As if the clocks were those of UTC: days of daylight saving have no other length there.
  const today = Date.parse(toLocal(endMs, timeZone).slice(0, 10));
  const midnight = (daysAgo: number): number => midnightOf(new Date(today - daysAgo * dayMs).toISOString(), timeZone);
  return Array.from({ length: count }, (_, index) => {
    const periodsAgo = count - 1 - index;
    return { fromMs: midnight((periodsAgo + 1) * days - 1), untilMs: midnight(periodsAgo * days - 1) };
  });
}

/** In a few time zones the clocks are set forward at midnight, so that day begins at one. */
function midnightOf(iso: string, timeZone: string): number {
  const date = iso.slice(0, 10);
  return fromLocal(`${date}T00:00`, timeZone) ?? fromLocal(`${date}T01:00`, timeZone) ?? Date.parse(date);
}

const halfHourMs = 1_800_000;
/** Gates open two hours before the start. */
export const gatesOpenMs = 4 * halfHourMs;

/** The half hours from two hours before the start until two hours after it. */
export function gateWindows(startMs: number): Window[] {
  return Array.from({ length: 8 }, (_, index) => {
    const fromMs = startMs - gatesOpenMs + index * halfHourMs;
    return { fromMs, untilMs: fromMs + halfHourMs };
  });
}

/** The API excludes both bounds. */
export function queryOf({ fromMs, untilMs }: Window): string {
  return `unix_start=${fromMs / 1000 - 1}&unix_end=${untilMs / 1000}`;
}
