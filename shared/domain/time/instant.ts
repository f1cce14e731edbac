import { isCalendarDay } from './calendar-day.ts';
import { localUnix } from './local-time.ts';

/** Lists of events are sorted by ten digits of Unix seconds. The pattern of a time alone would accept 30 February. */
export function isInstant(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return year >= 1970 && year < 2200 && isCalendarDay(text.slice(0, 10)) && unixOf(text) >= 0;
}

export function unixOf(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}

/**
 * Whether a time is given with an offset that the zone does not have then. So is every time that the clocks skip: in Berlin on
 * 29 March 2026, 02:30 has neither the offset +01:00 nor +02:00.
 */
export function hasForeignOffset(text: string, timezone: string): boolean {
  const offset = offsetSeconds(text);
  return offset !== 0 && localUnix(unixOf(text), timezone) - unixOf(text) !== offset;
}

function offsetSeconds(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})?$/.exec(text.slice(10)) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

/** Whether the runtime knows this IANA time zone by exactly this name, or knows it by an old one. */
export function isTimezone(text: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    // Intl corrects the case. It also turns Asia/Kolkata into Asia/Calcutta, the old name.
    return timeZone === text || timeZone.toLowerCase() !== text.toLowerCase();
  } catch {
    return false;
  }
}
