import { seatMoves } from '../seats/seat-moves.ts';
import type { Basket } from './basket.ts';
import { isMembershipLine, isTicketLine, type LineItem, linePersons, lineTickets } from './line-item.ts';

/** The stock of a membership type has the id of the type in place of an event's, and this index, which no price or pool has. */
export const typeStockIndex = 0;

/** Tickets of one stock, of a price or a pool, or memberships of a type, that a change takes or returns. */
export interface StockMove {
  /** The event, or the membership type. */
  readonly eventId: number;
  /** The index of the price or the pool within the event. */
  readonly index: number;
  readonly tickets: number;
  /** How many slices the stock has at least. */
  readonly slices: number;
  /** A take is refused if the stock has another version. Undefined if the basket holds tickets of the stock: then it stays as it is. */
  readonly stockVersion?: number;
  /** The uses of a code, not tickets. */
  readonly isCode?: true;
}

/** Names a stock within its organisation. */
export const stockName = ({ eventId, index }: Pick<StockMove, 'eventId' | 'index'>): string => `${eventId} ${index}`;

/** The moves of the stocks that the lines take from: one for each stock, because a transaction may write an item only once. */
export function movesOf(eventId: number | null, lines: readonly LineItem[]): readonly StockMove[] {
  const moves = new Map<string, StockMove>();
  for (const line of lines) {
    for (const stock of stocksOf(eventId, line)) {
      const known = moves.get(stockName(stock));
      moves.set(stockName(stock), {
        ...stock,
        tickets: (known?.tickets ?? 0) + lineTickets(line) + linePersons(line),
        slices: Math.max(stock.slices, known?.slices ?? 1),
      });
    }
  }
  return [...moves.values()];
}

/** The use that the code of a basket has taken. It is counted as tickets are, under an id of its own. */
export function codeMoves({ code }: Pick<Basket, 'code'>): readonly StockMove[] {
  if (code === null || code.stock === null) return [];
  const { id, slices } = code.stock;
  return [{ eventId: id, index: typeStockIndex, tickets: 1, slices, isCode: true }];
}

/** How many items the lines take from: stocks and rows of seats. */
export function stockCount(eventId: number | null, lines: readonly LineItem[]): number {
  const seats = lines.flatMap((line) => line.seats);
  return movesOf(eventId, lines).length + seatMoves(eventId, seats).length;
}

function stocksOf(eventId: number | null, line: LineItem): readonly Omit<StockMove, 'tickets'>[] {
  const { ownStock, priceIndex: index, stockSlices: slices, pool } = line;
  if (isMembershipLine(line)) return ownStock ? [{ eventId: line.soldTypeId, index: typeStockIndex, slices }] : [];
  if (eventId === null || !isTicketLine(line)) return [];
  return [...(ownStock ? [{ eventId, index, slices }] : []), ...(pool === null ? [] : [{ eventId, ...pool }])];
}
