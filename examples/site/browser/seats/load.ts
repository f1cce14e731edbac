import type { ClubEvent } from '../resources.ts';
import type { EventSeats, SeatMap, SeatSection } from './resources.ts';

/** Reads from the API: with the storefront token, or with the key of the office. */
export type Read = <Answer>(path: string, options?: { readonly fresh?: boolean }) => Promise<Answer>;

/** The map never changes in one version, so the browser keeps it. */
export function seatMapOf({ seat_map_id, seat_map_version }: ClubEvent, read: Read): Promise<SeatMap> {
  return read<SeatMap>(`/v1/seat_maps/${seat_map_id}?version=${seat_map_version}`);
}

export type SectionSummary = Pick<SeatSection, 'section' | 'free'>;

/** How many seats each section has left. */
export async function sectionsOf(
  { event_id }: ClubEvent,
  read: Read,
  fresh = false,
): Promise<readonly SectionSummary[]> {
  return (await read<EventSeats<SectionSummary>>(`/v1/events/${event_id}/seats`, { fresh })).sections;
}

/** Sections with the names, kinds and prices of their seats. They are asked for when they are opened and after a refusal, never in between. */
export async function openSections(
  { event_id }: ClubEvent,
  names: readonly string[],
  { fresh = false, read }: { readonly fresh?: boolean; readonly read: Read },
): Promise<readonly SeatSection[]> {
  const open = (name: string) =>
    read<EventSeats>(`/v1/events/${event_id}/seats?section=${encodeURIComponent(name)}`, { fresh });
  return (await Promise.all(names.map(open))).flatMap(({ sections }) => sections);
}
