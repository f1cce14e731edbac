/** An instant as the text of a date field, on the clocks of this time zone: 2026-11-14T19:30. */
export function toLocal(ms: number, timeZone: string): string {
  // The Swedish notation is the one of date fields, with a space.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(ms)).replace(' ', 'T');
}

/** The instant at which the clocks of this time zone show this; undefined if they skip it on a day of daylight saving. */
export function fromLocal(text: string, timeZone: string): number | undefined {
  const shown = Date.parse(`${text}Z`);
  const offsetAt = (ms: number): number => Date.parse(`${toLocal(ms, timeZone)}Z`) - ms;
  // The offset depends on the result. The second approximation is exact.
  const ms = shown - offsetAt(shown - offsetAt(shown));
  return toLocal(ms, timeZone) === text ? ms : undefined;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
