import type { ClubEvent, Named, Seated } from '../resources.ts';
import { locale } from './locale.ts';

/** Where an event takes place; empty while that is undecided. */
export function placeOf({ online_event, venue_name }: ClubEvent): string {
  return online_event ? 'Online' : (venue_name ?? '');
}

/** The day of an event, and its place where that is known. */
export const whenAndWhere = (event: ClubEvent): string =>
  [event.formatted_full_event_start_date, placeOf(event)].filter(Boolean).join(' · ');

/** An amount in its currency, as people write it: $32.50, or Free. */
export function money(amount: number, currency: string): string {
  if (amount === 0) return 'Free';
  return amount.toLocaleString(locale(), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
}

/** A person, as they are called; empty while nobody is named. */
export const fullName = ({ first_name, last_name }: Named): string => [first_name, last_name].filter(Boolean).join(' ');

export function tickets(count: number): string {
  return count === 1 ? '1 ticket' : `${count} tickets`;
}

/** A day in the organisation's time zone, such as 31 October 2027. */
export function day(unix: number, timeZone: string): string {
  return new Date(unix * 1000).toLocaleString(locale(), { dateStyle: 'long', timeZone });
}

/** A second in the organisation's time zone, such as 28 Nov 2026, 7:30:05 pm. */
export function secondOf(unix: number, timeZone: string): string {
  return new Date(unix * 1000).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'medium', timeZone });
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** Seats that the API names `section/row/seat`, such as Stalls, row C, seats 7 and 8. */
export function seatsText(names: readonly string[]): string {
  const rows = Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('/')));
  const and = new Intl.ListFormat('en', { type: 'conjunction' });
  const texts = [...rows].map(([place, inRow]) => {
    const [section, row] = place.split('/');
    const seats = inRow.map((name) => name.slice(name.lastIndexOf('/') + 1)).sort(byNumber.compare);
    return `${section}, row ${row}, ${seats.length === 1 ? 'seat' : 'seats'} ${and.format(seats)}`;
  });
  return texts.join('; ');
}

/** The seat of a ticket, such as Stalls · row C · seat 7. */
export function seatOf({ section_label, seat_row, seat_title }: Seated): string {
  return [section_label, seat_row && `row ${seat_row}`, seat_title && `seat ${seat_title}`].filter(Boolean).join(' · ');
}
