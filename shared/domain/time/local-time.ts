import type { TimeRange } from './time-buckets.ts';

/**
 * Instants in local time. The offset comes from the runtime's time zone database. The names of days and months are our own,
 * because those of the runtime change with its version (one has a narrow space before `pm`).
 */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a formatter is slower than using it, and a page of events uses the same few time zones. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timezone, clock);
  return clock;
}

/**
 * The Unix second plus the zone's offset at that instant: formatted as UTC, it is the local time. A page of scans needs it for
 * each scan, and the runtime takes a hundred times as long as an addition. So the offset of an hour is remembered if it is the
 * same at its beginning and its end.
 */
export function localUnix(unix: number, timezone: string): number {
  const hour = Math.floor(unix / hourSeconds);
  const name = `${timezone} ${hour}`;
  if (!offsets.has(name)) {
    const [first, last] = [offsetAt(hour * hourSeconds, timezone), offsetAt((hour + 1) * hourSeconds, timezone)];
    if (offsets.size >= maxOffsets) offsets.clear();
    offsets.set(name, first === last ? first : undefined);
  }
  return unix + (offsets.get(name) ?? offsetAt(unix, timezone));
}

const hourSeconds = 3_600;
/** The offset of a zone during an hour; undefined if it changes within the hour. */
const offsets = new Map<string, number | undefined>();
const maxOffsets = 10_000;

function offsetAt(unix: number, timezone: string): number {
  const parts = new Map(
    clockOf(timezone)
      .formatToParts(unix * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local / 1000 - unix;
}

/** YYYY-MM-DD */
export function localDate(unix: number, timezone: string): string {
  return new Date(localUnix(unix, timezone) * 1000).toISOString().slice(0, 10);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** An instant in English, complete and in its parts. */
export interface WrittenTime {
  /** Saturday 14 November 2026, 7:30 pm */
  readonly full: string;
  readonly weekday: string;
  readonly time: string;
  readonly month: string;
  readonly date: string;
  readonly year: string;
}

export function writtenTime(unix: number, timezone: string): WrittenTime {
  const local = new Date(localUnix(unix, timezone) * 1000);
  const weekday = weekdays[local.getUTCDay()] ?? '';
  const month = months[local.getUTCMonth()] ?? '';
  const date = String(local.getUTCDate());
  const year = String(local.getUTCFullYear());
  const time = twelveHours(local.getUTCHours(), local.getUTCMinutes());
  return { full: `${weekday} ${date} ${month} ${year}, ${time}`, weekday, time, month, date, year };
}

/** 7:30 pm; midnight is 12:00 am and noon 12:00 pm. */
function twelveHours(hours: number, minutes: number): string {
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'am' : 'pm'}`;
}

const daySeconds = 24 * hourSeconds;

/** The same local time so many days later. Of a time that comes twice it is the first, and one that the clocks skip comes an hour later. */
export function localDaysLater(unix: number, days: number, timezone: string): number {
  const local = localUnix(unix, timezone) + days * daySeconds;
  // The offsets before and after a change of the clocks on that day.
  const [before, after] = [local - daySeconds, local + daySeconds].map((near) => localUnix(near, timezone) - near);
  const found = [before, after].find((offset = 0) => localUnix(local - offset, timezone) === local);
  return local - (found ?? before ?? 0);
}

/** How many days of the calendar are between two instants. */
export function localDaysBetween(fromUnix: number, toUnix: number, timezone: string): number {
  const day = (unix: number): number => Math.floor(localUnix(unix, timezone) / daySeconds);
  return day(toUnix) - day(fromUnix);
}

/** The first second of the local day that contains an instant. A day may have 23 or 25 hours, or begin at one o'clock. */
export function localDayStart(unix: number, timezone: string): number {
  const local = localUnix(unix, timezone);
  const midnight = Math.floor(local / daySeconds) * daySeconds;
  let start = unix - (local - midnight);
  // The offset may have changed since midnight.
  start += midnight - localUnix(start, timezone);
  return start + Math.max(0, midnight - localUnix(start, timezone));
}

/** The first second after the local day that contains an instant. */
export function localDayEnd(unix: number, timezone: string): number {
  // No day is shorter than half of this or longer than it.
  return localDayStart(localDayStart(unix, timezone) + 1.5 * daySeconds, timezone);
}

/** The whole local days that contain a second of a range. */
export function wholeLocalDays({ after, before }: TimeRange, timezone: string): TimeRange {
  const isEmpty = after !== undefined && before !== undefined && after + 1 >= before;
  if (isEmpty) return { after, before };
  return {
    after: after === undefined ? undefined : Math.max(0, localDayStart(after + 1, timezone)) - 1,
    before: before === undefined || before === 0 ? before : localDayEnd(before - 1, timezone),
  };
}
