import { localDayEnd, localDayStart } from './local-time.ts';

export const periodSizes = ['half_hour', 'day', 'week'] as const;
export const maxPeriods = 60;

/** A stretch of time: from its first second until before its last. */
export interface Period {
  readonly fromUnix: number;
  readonly untilUnix: number;
}

interface LastPeriods {
  readonly per: (typeof periodSizes)[number];
  readonly count: number;
  /** The last period contains the second before this one. */
  readonly untilUnix: number;
}

const halfHourSeconds = 1_800;

/** The last periods, the earliest first. Days and weeks are whole days on the clocks of the time zone; a week ends with the last day. */
export function lastPeriods({ per, count, untilUnix }: LastPeriods, timezone: string): readonly Period[] {
  const periods: Period[] = [];
  let end = endOf(per, untilUnix - 1, timezone);
  for (let found = 0; found < count; found += 1) {
    const start = per === 'half_hour' ? end - halfHourSeconds : daysBefore(end, per === 'day' ? 1 : 7, timezone);
    periods.unshift({ fromUnix: Math.max(0, start), untilUnix: Math.max(0, end) });
    end = start;
  }
  return periods;
}

function endOf(per: LastPeriods['per'], unix: number, timezone: string): number {
  return per === 'half_hour' ? (Math.floor(unix / halfHourSeconds) + 1) * halfHourSeconds : localDayEnd(unix, timezone);
}

/** The first second of the day that is so many days before the end of a day. */
function daysBefore(end: number, days: number, timezone: string): number {
  let start = end;
  for (let day = 0; day < days; day += 1) start = localDayStart(start - 1, timezone);
  return start;
}
