import { openSections, type Read, seatMapOf, sectionsOf } from '../../site/browser/seats/load.ts';
import { placedSeats } from '../../site/browser/seats/placed.ts';
import type { Seat, SeatMap } from '../../site/browser/seats/resources.ts';
import { officeCall } from './api.ts';
import type { OfficeEvent } from './resources.ts';

const asStaff: Read = (path) => officeCall('GET', path);

export interface House {
  readonly map: SeatMap;
  readonly seats: readonly Seat[];
  /** The active prices of each zone. */
  readonly pricesOfZone: ReadonlyMap<string, readonly number[]>;
}

/** Every seat of an event, and whether it is free. */
export async function houseOf(event: OfficeEvent): Promise<House> {
  const [map, summaries] = await Promise.all([seatMapOf(event, asStaff), sectionsOf(event, asStaff)]);
  const names = summaries.map(({ section }) => section);
  const sections = await openSections(event, names, { read: asStaff });
  const zones = sections.flatMap((section) => section.zones);
  return {
    map,
    seats: placedSeats(map, sections),
    pricesOfZone: new Map(zones.map(({ zone, price_ids }) => [zone, price_ids])),
  };
}
