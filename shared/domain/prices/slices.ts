/** The stock of a price is spread over at most this many items, its slices, so two buyers rarely meet on one. */
export const maxSlices = 8;
/** A price with few tickets sells out before conflicts matter, and one item is cheaper to read. */
const ticketsPerSlice = 100;

export function slicesOf(capacity: number): number {
  return Math.min(maxSlices, Math.max(1, Math.floor(capacity / ticketsPerSlice)));
}

/** The slices of a stock whose capacity changes. It gets more of them only together with tickets: a slice that nobody writes is missing. */
export function slicesAfter(slices: number, { from, to }: { readonly from: number; readonly to: number }): number {
  return to > from ? Math.max(slices, slicesOf(to)) : slices;
}

/** Splits tickets into parts that differ by one at most. */
export function splitEvenly(tickets: number, parts: number): readonly number[] {
  const least = Math.floor(tickets / parts);
  return Array.from({ length: parts }, (_, part) => least + (part < tickets % parts ? 1 : 0));
}

export interface StockSlice {
  readonly slice: number;
  readonly avail: number;
  /** How often the slice has changed. */
  readonly version: number;
}

/** Tickets that go into a slice; a negative number takes them out. */
export interface SliceChange {
  readonly slice: number;
  readonly tickets: number;
}

export function availableIn(slices: readonly StockSlice[]): number {
  return slices.reduce((sum, { avail }) => sum + avail, 0);
}

/** A slice gives tickets to another only if that saves the next buyers a second attempt for a while. */
const fewestMoved = 10;

/**
 * Takes tickets out of slices: out of one if one has them all, otherwise out of as few as possible. If another slice is nearly
 * empty, the one that has enough gives it half of the difference, because a buyer tries one slice at random first. Undefined
 * if the slices together have too few.
 */
export function spreadTake(
  slices: readonly StockSlice[],
  tickets: number,
  randomBelow: (limit: number) => number,
): readonly SliceChange[] | undefined {
  if (availableIn(slices) < tickets) return undefined;
  const fullestFirst = slices.toSorted((one, other) => other.avail - one.avail);
  const enough = fullestFirst.filter(({ avail }) => avail >= tickets);
  const from = enough[enough.length > 0 ? randomBelow(enough.length) : 0];
  if (from === undefined) return takeFromSeveral(fullestFirst, tickets);
  const poor = slices.filter(({ avail }) => avail < from.avail / 4);
  const to = poor[poor.length > 0 ? randomBelow(poor.length) : 0];
  const moved = to === undefined ? 0 : Math.floor((from.avail - tickets - to.avail) / 2);
  return to === undefined || moved < fewestMoved
    ? [{ slice: from.slice, tickets: -tickets }]
    : [
        { slice: from.slice, tickets: -tickets - moved },
        { slice: to.slice, tickets: moved },
      ];
}

function takeFromSeveral(fullestFirst: readonly StockSlice[], tickets: number): readonly SliceChange[] {
  const changes: SliceChange[] = [];
  let missing = tickets;
  for (const { slice, avail } of fullestFirst) {
    const taken = Math.min(avail, missing);
    if (taken > 0) changes.push({ slice, tickets: -taken });
    missing -= taken;
  }
  return changes;
}

/** Moves tickets into the first slice until it has so many, or a few more, so the next caller need not move any. */
export function gatherInFirst(slices: readonly StockSlice[], tickets: number): readonly SliceChange[] {
  const missing = tickets - (slices.find(({ slice }) => slice === 0)?.avail ?? 0);
  if (missing <= 0) return [];
  const others = slices.filter(({ slice }) => slice !== 0).toSorted((one, other) => other.avail - one.avail);
  const moved = Math.min(availableIn(others), Math.max(missing, ticketsPerSlice));
  return [{ slice: 0, tickets: moved }, ...takeFromSeveral(others, moved)];
}
