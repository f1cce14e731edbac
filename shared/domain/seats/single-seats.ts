import { openRuns, positionsOf, type RowPicture, withSeats } from './row-picture.ts';
import type { MapSeat } from './seat-map.ts';

/** Seats of one row that one basket takes. Positions are those in the row. */
export interface RowTake {
  /** The row without the basket: what the basket has in it counts as open. */
  readonly picture: RowPicture;
  /** What the basket has in the row already. It stays. */
  readonly others: readonly number[];
  readonly take: readonly number[];
  /** Whether the buyer could have this seat instead: at these prices, and not a wheelchair or companion place. */
  readonly isOffered: (seat: MapSeat) => boolean;
}

export const isForWheelchair = ({ kind }: MapSeat): boolean => kind === 'wheelchair' || kind === 'companion';

/** The open seats without an open neighbour. A wheelchair or companion place may be alone, and is nobody's neighbour: only its own party sits there. */
export function singlesOf({ seats, open }: RowPicture): readonly number[] {
  const ordinary = seats.map((seat, position) => open[position] === true && !isForWheelchair(seat));
  return openRuns({ seats, open: ordinary }).flatMap(({ from, length }) => (length === 1 ? [from] : []));
}

/** The seats that a take leaves alone and that were not alone before. */
export function newSingles(picture: RowPicture, take: readonly number[]): readonly number[] {
  const before = new Set(singlesOf(picture));
  return singlesOf(withSeats(picture, take, false)).filter((position) => !before.has(position));
}

/** The runs of so many open seats that are offered, each as a take. */
export function runTakes(picture: RowPicture, size: number, isOffered: (seat: MapSeat) => boolean) {
  const offered = picture.seats.map((seat, position) => picture.open[position] === true && isOffered(seat));
  return openRuns({ seats: picture.seats, open: offered }).flatMap(({ from, length }) =>
    Array.from({ length: Math.max(0, length - size + 1) }, (_, index) =>
      positionsOf({ from: from + index, length: size }),
    ),
  );
}
