const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The zone in which a day begins first is 14 hours ahead of UTC. */
const earliestZoneSeconds = 14 * 3_600;

/** Whether a day in the form YYYY-MM-DD has begun nowhere yet. Years have four digits, so the text sorts like the day. */
export function isFutureDay(day: string, nowUnix: number): boolean {
  return day > new Date((nowUnix + earliestZoneSeconds) * 1000).toISOString().slice(0, 10);
}

/** Whether this day exists: the form YYYY-MM-DD alone would accept 30 February. */
export function isCalendarDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = pattern.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
