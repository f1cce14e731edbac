import { describe, expect, it } from 'vitest';
import { localDate, localDaysLater, localUnix, writtenTime } from '../../shared/domain/time/local-time.ts';

/**
 * Values of the tz database (`TZ=… date -d @…`): `unix` is the instant, `offset` how many seconds the zone is ahead.
 */
const known = [
  // Melbourne changes its clocks on 4 October 2026 at 2:00 and back on 4 April 2027 at 3:00.
  ['Australia/Melbourne', '2026-11-14T08:30:00Z', 39_600, 'Saturday 14 November 2026, 7:30 pm', '2026-11-14'],
  ['Australia/Melbourne', '2026-10-03T15:59:59Z', 36_000, 'Sunday 4 October 2026, 1:59 am', '2026-10-04'],
  ['Australia/Melbourne', '2026-10-03T16:00:00Z', 39_600, 'Sunday 4 October 2026, 3:00 am', '2026-10-04'],
  ['Australia/Melbourne', '2027-04-03T15:59:59Z', 39_600, 'Sunday 4 April 2027, 2:59 am', '2027-04-04'],
  ['Australia/Melbourne', '2027-04-03T16:00:00Z', 36_000, 'Sunday 4 April 2027, 2:00 am', '2027-04-04'],
  // London, both clock changes of 2026.
  ['Europe/London', '2026-03-29T00:59:59Z', 0, 'Sunday 29 March 2026, 12:59 am', '2026-03-29'],
  ['Europe/London', '2026-03-29T01:00:00Z', 3_600, 'Sunday 29 March 2026, 2:00 am', '2026-03-29'],
  ['Europe/London', '2026-10-25T00:59:59Z', 3_600, 'Sunday 25 October 2026, 1:59 am', '2026-10-25'],
  ['Europe/London', '2026-10-25T01:00:00Z', 0, 'Sunday 25 October 2026, 1:00 am', '2026-10-25'],
  // Offsets that are not whole hours. Lord Howe changes its clocks by half an hour.
  ['Asia/Kolkata', '2026-01-15T13:30:00Z', 19_800, 'Thursday 15 January 2026, 7:00 pm', '2026-01-15'],
  ['Asia/Kathmandu', '2026-01-15T18:15:00Z', 20_700, 'Friday 16 January 2026, 12:00 am', '2026-01-16'],
  ['Australia/Adelaide', '2026-07-01T02:30:00Z', 34_200, 'Wednesday 1 July 2026, 12:00 pm', '2026-07-01'],
  ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 37_800, 'Wednesday 1 July 2026, 10:30 am', '2026-07-01'],
  ['Australia/Lord_Howe', '2026-12-01T00:00:00Z', 39_600, 'Tuesday 1 December 2026, 11:00 am', '2026-12-01'],
  ['America/St_Johns', '2026-02-10T23:30:00Z', -12_600, 'Tuesday 10 February 2026, 8:00 pm', '2026-02-10'],
  // New Year on both sides of the date line, and a leap day.
  ['Pacific/Auckland', '2026-12-31T11:00:00Z', 46_800, 'Friday 1 January 2027, 12:00 am', '2027-01-01'],
  ['America/Los_Angeles', '2027-01-01T07:59:59Z', -28_800, 'Thursday 31 December 2026, 11:59 pm', '2026-12-31'],
  ['Pacific/Kiritimati', '2026-12-31T09:59:59Z', 50_400, 'Thursday 31 December 2026, 11:59 pm', '2026-12-31'],
  ['Australia/Melbourne', '2028-02-28T13:00:00Z', 39_600, 'Tuesday 29 February 2028, 12:00 am', '2028-02-29'],
  ['UTC', '2026-12-31T23:59:59Z', 0, 'Thursday 31 December 2026, 11:59 pm', '2026-12-31'],
] as const;

describe('local time', () => {
  it.each(known)('local time in %s at %s is %i s ahead: %s', (...response) => {
    const [timezone, instant, offset, full, date] = response;
    const unix = Date.parse(instant) / 1000;
    expect(localUnix(unix, timezone)).toBe(unix + offset);
    expect(writtenTime(unix, timezone).full).toBe(full);
    expect(localDate(unix, timezone)).toBe(date);
  });

  it('local time is also available as date and time parts', () => {
    expect(writtenTime(Date.parse('2026-11-14T08:30:00Z') / 1000, 'Australia/Melbourne')).toEqual({
      full: 'Saturday 14 November 2026, 7:30 pm',
      weekday: 'Saturday',
      time: '7:30 pm',
      month: 'November',
      date: '14',
      year: '2026',
    });
  });
});

it('a local time some days later is the same across daylight saving, the first of two, and after a gap', () => {
  const later = (text: string, days: number, timezone: string) =>
    new Date(localDaysLater(Date.parse(text) / 1000, days, timezone) * 1000).toISOString();
  // Berlin: 10:00 in winter and in summer.
  expect(later('2026-03-20T09:00:00Z', 10, 'Europe/Berlin')).toBe('2026-03-30T08:00:00.000Z');
  expect(later('2026-03-30T08:00:00Z', -10, 'Europe/Berlin')).toBe('2026-03-20T09:00:00.000Z');
  // 02:30 comes twice on 25 October, and not at all on 29 March.
  expect(later('2026-10-24T00:30:00Z', 1, 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
  expect(later('2026-03-28T01:30:00Z', 1, 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(later('2026-03-28T01:30:00Z', 2, 'Europe/Berlin')).toBe('2026-03-30T00:30:00.000Z');
});
