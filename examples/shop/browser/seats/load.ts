import type { ClubEvent, Price } from '../resources.ts';
import { call } from '../state/api.ts';
import { unavailable } from '../state/price.ts';
import { placedSeats } from './placed.ts';
import type { EventSeats, Seat, SeatMap, SeatSection } from './resources.ts';

/** Reads from the API: with the storefront token, or with the key of the office. */
export type Read = <Answer>(path: string, options?: { readonly fresh?: boolean }) => Promise<Answer>;
const asVisitor: Read = (path, options = {}) => call('GET', path, options);

/** The map never changes in one version, so the browser keeps it. */
export function seatMapOf({ seat_map_id, seat_map_version }: ClubEvent, read = asVisitor): Promise<SeatMap> {
  return read<SeatMap>(`/v1/seat_maps/${seat_map_id}?version=${seat_map_version}`);
}

export interface SectionSummary {
  readonly section: string;
  readonly free: number;
}

/** How many seats each section has left. */
export async function sectionsOf({ event_id }: ClubEvent, read = asVisitor): Promise<readonly SectionSummary[]> {
  return (await read<EventSeats<SectionSummary>>(`/v1/events/${event_id}/seats`)).sections;
}

/** Sections with the names, kinds and prices of their seats. They are asked for when they are opened and after a refusal, never in between. */
export async function openSections(
  { event_id }: ClubEvent,
  names: readonly string[],
  { fresh = false, read = asVisitor } = {},
): Promise<readonly SeatSection[]> {
  const open = (name: string) =>
    read<EventSeats>(`/v1/events/${event_id}/seats?section=${encodeURIComponent(name)}`, { fresh });
  return (await Promise.all(names.map(open))).flatMap(({ sections }) => sections);
}

/** The prices on sale that sell one seat of a zone, the first one first. */
export function pricesOfZone(
  sections: readonly SeatSection[],
  offered: readonly Price[],
  zone: string,
): readonly Price[] {
  const ids = sections.flatMap(({ zones }) => zones.find((one) => one.zone === zone)?.price_ids ?? []);
  return offered.filter(
    (price) => ids.includes(price.price_id) && price.tickets_included === 1 && unavailable(price) === undefined,
  );
}

/** The seats of the open sections. One can be chosen if nobody has it and one of its prices is on sale. */
export function seatsOf(map: SeatMap, sections: readonly SeatSection[], offered: readonly Price[]): readonly Seat[] {
  const zones = new Set(sections.flatMap((section) => section.zones.map(({ zone }) => zone)));
  const sold = new Set([...zones].filter((zone) => pricesOfZone(sections, offered, zone).length > 0));
  return placedSeats(map, sections).map((seat) => ({ ...seat, isFree: seat.isFree && sold.has(seat.zone) }));
}
