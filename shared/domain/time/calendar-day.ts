const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether this day exists: the form YYYY-MM-DD alone would accept 30 February. */
export function isCalendarDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = pattern.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
