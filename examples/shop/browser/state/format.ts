import { nowMs } from '../../../site/browser/state/config.ts';
import { day as dayIn } from '../../../site/browser/state/format.ts';
import { locale } from '../../../site/browser/state/locale.ts';
import { organisation } from './organisation.ts';

export function memberships(count: number): string {
  return count === 1 ? '1 membership' : `${count} memberships`;
}

/** A day in the organisation's time zone, such as 31 October 2027. */
export const day = (unix: number): string => dayIn(unix, organisation().timezone);

/** A date and time such as Saturday 28 November, 7:30 pm, of a text of ISO 8601 or of milliseconds. */
export function dateTime(when: string | number, timeZone = organisation().timezone): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone }).format(new Date(when));
}

/** How long until something, such as 3 days, 2:14:05 or 14:05. */
export function timeUntil(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  const rest = `${Math.floor((seconds % 3_600) / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return hours === 0 ? rest : `${hours}:${rest.padStart(5, '0')}`;
}

/** From when something is on sale, such as From 20 November; on the day itself, From 7:30 pm. */
export function fromDay(unix: number, timeZone: string): string {
  const dayOf = (ms: number): string =>
    new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', timeZone }).format(ms);
  const start = dayOf(unix * 1000);
  if (start !== dayOf(nowMs())) return `From ${start}`;
  return `From ${new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone }).format(unix * 1000)}`;
}
