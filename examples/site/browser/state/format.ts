import type { ClubEvent } from '../resources.ts';

/** Where an event takes place; empty while that is undecided. */
export function placeOf({ online_event, venue_name }: ClubEvent): string {
  return online_event ? 'Online' : (venue_name ?? '');
}

/** An amount in its currency, as people write it: $32.50, or Free. */
export function money(amount: number, currency: string): string {
  if (amount === 0) return 'Free';
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(amount);
}

export function tickets(count: number): string {
  return count === 1 ? '1 ticket' : `${count} tickets`;
}

/** A day in the organisation's time zone, such as 31 October 2027. */
export function day(unix: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone }).format(new Date(unix * 1000));
}

/** A second in the organisation's time zone, such as 28 Nov 2026, 7:30:05 pm. */
export function secondOf(unix: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-AU', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return format.format(new Date(unix * 1000));
}
