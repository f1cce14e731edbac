import type { Seat, TicketStock } from '../../shared/domain/orders/order.ts';
import { bestSeats } from '../../shared/domain/seats/best-seats.ts';
import { pictureOf } from '../../shared/domain/seats/row-picture.ts';
import { type SeatMap, seatName } from '../../shared/domain/seats/seat-map.ts';

type DemoSeat = Seat & Pick<TicketStock, 'takesSeat'>;

/** Gives the tickets of an order their seats, each seat once. */
export interface DemoSeats {
  take(category: { readonly title: string; readonly zone: string | null }, count: number): readonly DemoSeat[];
}

const seatsPerRow = 18;

/** Seats that the tickets only name, from the front row on: those of shows before the theatre sold its seats here. */
export class NamedSeats implements DemoSeats {
  readonly #taken = new Map<string, number>();

  take({ title }: { readonly title: string }, count: number): readonly DemoSeat[] {
    return Array.from({ length: count }, () => this.#next(title));
  }

  #next(section: string): DemoSeat {
    const taken = this.#taken.get(section) ?? 0;
    this.#taken.set(section, taken + 1);
    const row = String.fromCharCode('A'.charCodeAt(0) + (Math.floor(taken / seatsPerRow) % 26));
    return seatOf(section, row, `${row}${(taken % seatsPerRow) + 1}`);
  }
}

/** Seats of a map, by the rules by which the service chooses the best ones. */
export class MapSeats implements DemoSeats {
  readonly #map: SeatMap;
  readonly #taken: Set<string>;

  constructor(map: SeatMap, taken: Iterable<string>) {
    this.#map = map;
    this.#taken = new Set(taken);
  }

  take({ zone }: { readonly zone: string | null }, count: number): readonly DemoSeat[] {
    const rows = this.#map.sections.flatMap(({ section, rows: inSection }) =>
      inSection.map((row) => {
        const labels = row.seats.map(({ label }) => label);
        const taken = labels.filter((label) => this.#taken.has(seatName(section, row.row, label)));
        return { section, row: row.row, labels, picture: pictureOf(row, new Set(taken)) };
      }),
    );
    const wish = { size: count, wheelchairs: 0, together: true, avoidsSingles: true, zone: zone ?? '' };
    const best = bestSeats(this.#map, rows, wish);
    const among = best.outcome === 'found' ? best.takes.slice(0, best.among) : [];
    const take = among[this.#taken.size % among.length];
    if (take === undefined) throw new Error(`The zone ${zone} has no ${count} seats left for the demo.`);
    return take.rows.flatMap(({ section, row, positions }) => {
      const labels = rows.find((one) => one.section === section && one.row === row)?.labels ?? [];
      return positions.map((position) => {
        const label = labels[position] ?? '';
        this.#taken.add(seatName(section, row, label));
        return { ...seatOf(section, row, label), takesSeat: true };
      });
    });
  }
}

function seatOf(sectionLabel: string, seatRow: string, seatTitle: string): DemoSeat {
  return { sectionLabel, subSectionTitle: null, seatAisle: null, seatRow, seatTitle };
}
