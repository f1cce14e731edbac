import { isTicketLine, type LineItem, lineTickets } from './line-item.ts';

/** Tickets of one stock, of a price or a pool, that a change takes or returns. */
export interface StockMove {
  readonly eventId: number;
  /** The index of the price or the pool within the event. */
  readonly index: number;
  readonly tickets: number;
  /** How many slices the stock has at least. */
  readonly slices: number;
  /** A take is refused if the stock has another version. Undefined if the basket holds tickets of the stock: then it stays as it is. */
  readonly stockVersion?: number;
}

/** The moves of the stocks that the lines take from: one for each stock, because a transaction may write an item only once. */
export function movesOf(eventId: number | null, lines: readonly LineItem[]): readonly StockMove[] {
  if (eventId === null) return [];
  const moves = new Map<number, StockMove>();
  for (const line of lines) {
    for (const { index, slices } of stocksOf(line)) {
      const known = moves.get(index);
      moves.set(index, {
        eventId,
        index,
        tickets: (known?.tickets ?? 0) + lineTickets(line),
        slices: Math.max(slices, known?.slices ?? 1),
      });
    }
  }
  return [...moves.values()];
}

function stocksOf(line: LineItem): readonly Pick<StockMove, 'index' | 'slices'>[] {
  if (!isTicketLine(line)) return [];
  const { ownStock, priceIndex: index, stockSlices: slices, pool } = line;
  return [...(ownStock ? [{ index, slices }] : []), ...(pool === null ? [] : [pool])];
}
