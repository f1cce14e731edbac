export function memberships(count: number): string {
  return count === 1 ? '1 membership' : `${count} memberships`;
}

/** A date and time in the organisation's time zone, such as Saturday 28 November, 7:30 pm. */
export function dateTime(iso: string, timeZone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-AU', { ...options, timeZone }).format(new Date(iso));
}

/** How long until something, such as 3 days, 2:14:05 or 14:05. */
export function timeUntil(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  const rest = minutes(seconds % 3_600);
  return hours === 0 ? rest : `${hours}:${rest.padStart(5, '0')}`;
}

/** Minutes and seconds, such as 14:05. */
function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Seats that the API names `section/row/seat`, such as Stalls, row C, seats 7 and 8. */
export function seatsText(names: readonly string[]): string {
  const rows = Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('/')));
  const and = new Intl.ListFormat('en', { type: 'conjunction' });
  const texts = [...rows].map(([place, inRow]) => {
    const [section, row] = place.split('/');
    const seats = inRow.map((name) => name.slice(name.lastIndexOf('/') + 1));
    return `${section}, row ${row}, ${seats.length === 1 ? 'seat' : 'seats'} ${and.format(seats)}`;
  });
  return texts.join('; ');
}

interface Seated {
  readonly section_label: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
}

/** The seat of a ticket, such as Stalls · row C · seat 7. One that was imported may have only a part of it. */
export function seatOf({ section_label, seat_row, seat_title }: Seated): string {
  return [section_label, seat_row && `row ${seat_row}`, seat_title && `seat ${seat_title}`].filter(Boolean).join(' · ');
}
