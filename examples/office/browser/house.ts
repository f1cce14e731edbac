import { openSections, type Read, seatMapOf, sectionsOf } from '../../site/browser/seats/load.ts';
import { placedSeats } from '../../site/browser/seats/placed.ts';
import type { Seat, SeatMap } from '../../site/browser/seats/resources.ts';
import { officeCall } from './api.ts';
import type { OfficeEvent } from './resources.ts';

const asStaff: Read = (path) => officeCall('GET', path);

/** Every seat of an event, and whether it is free. */
export async function houseOf(event: OfficeEvent): Promise<{ readonly map: SeatMap; readonly seats: readonly Seat[] }> {
  const [map, summaries] = await Promise.all([seatMapOf(event, asStaff), sectionsOf(event, asStaff)]);
  const names = summaries.map(({ section }) => section);
  return { map, seats: placedSeats(map, await openSections(event, names, { read: asStaff })) };
}
