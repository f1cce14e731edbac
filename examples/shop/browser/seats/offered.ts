import type { Price } from '../../../site/browser/resources.ts';
import type { Read } from '../../../site/browser/seats/load.ts';
import { placedSeats } from '../../../site/browser/seats/placed.ts';
import type { Seat, SeatMap, SeatSection } from '../../../site/browser/seats/resources.ts';
import { call } from '../state/api.ts';
import { unavailable } from '../state/price.ts';

/** Reads the seats with the storefront token. */
export const asVisitor: Read = (path, options = {}) => call('GET', path, options);

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
