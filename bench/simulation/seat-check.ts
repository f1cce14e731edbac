import { auditSeats } from '../../shared/data/audit/seats.ts';
import { parseTicket } from '../../shared/data/orders/barcode-row.ts';
import { readSections, sectionsOf } from '../../shared/data/seats/shown.ts';
import { isSold } from '../../shared/domain/orders/order.ts';
import { openRuns, pictureOf } from '../../shared/domain/seats/row-picture.ts';
import { type SeatMap, seatName } from '../../shared/domain/seats/seat-map.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { SimulatedCloud } from './cloud.ts';
import type { OnSale } from './on-sale-event.ts';

/** What is in the rows of seats after a sale. */
export interface SeatCheck {
  readonly left: number;
  /** Seats that two sold tickets have. */
  readonly soldTwice: number;
  /** Seats that nobody has and that are not free, or that somebody has without holding them. */
  readonly lost: number;
  /** Free seats without a free neighbour. */
  readonly singles: number;
}

export async function checkSeats(cloud: SimulatedCloud, { orgId, eventId }: OnSale, map: SeatMap): Promise<SeatCheck> {
  const findings = (await auditSeats(cloud.data, { orgId, eventId }, unixSeconds(cloud.time))) ?? [];
  const taken = await readSections(cloud.data, orgId, { eventId, sections: sectionsOf(map) });
  const runs = map.sections.flatMap(({ section, rows }) => {
    const owners = new Map((taken.get(section) ?? []).map((row) => [row.row, row.owners]));
    return rows.flatMap((row) => openRuns(pictureOf(row, new Set(owners.get(row.row)?.keys() ?? []))));
  });
  const seats = soldSeats(cloud);
  return {
    left: runs.reduce((sum, { length }) => sum + length, 0),
    soldTwice: seats.length - new Set(seats).size,
    lost: findings.length,
    singles: runs.filter(({ length }) => length === 1).length,
  };
}

function soldSeats({ table: { model } }: SimulatedCloud): readonly string[] {
  const seats: string[] = [];
  for (const key of model.storage.keys()) {
    const item = model.storage.get(key) ?? {};
    if (item.kind !== 'ticket') continue;
    const ticket = parseTicket(item);
    if (isSold(ticket)) seats.push(seatName(ticket.sectionLabel ?? '', ticket.seatRow ?? '', ticket.seatTitle ?? ''));
  }
  return seats;
}
