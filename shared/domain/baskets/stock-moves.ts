import { seatMoves } from '../seats/seat-moves.ts';
import type { Basket } from './basket.ts';
import { isMembershipLine, isTicketLine, type LineItem, linePersons, lineTickets } from './line-item.ts';

/** The tickets of a price or a pool of an event, the memberships of a type, or the uses of a code. */
type AnyStock =
  | {
      readonly kind: 'event';
      readonly eventId: number;
      /** The index of the price or the pool within the event. */
      readonly index: number;
    }
  | { readonly kind: 'type'; readonly typeId: number }
  | { readonly kind: 'code'; readonly stockId: number };

/** The index of a stock that belongs to no event. No price and no pool has it. */
export const typeStockIndex = 0;

/** What the keys of a stock's rows consist of. The stock of a type or a code has its own id in place of an event's. */
export function stockRef(stock: AnyStock): { readonly eventId: number; readonly index: number } {
  switch (stock.kind) {
    case 'event':
      return { eventId: stock.eventId, index: stock.index };
    case 'type':
      return { eventId: stock.typeId, index: typeStockIndex };
    case 'code':
      return { eventId: stock.stockId, index: typeStockIndex };
  }
}

/** What a change takes from one stock or returns to it. */
export interface StockMove {
  readonly stock: AnyStock;
  /** Tickets, memberships or uses. */
  readonly tickets: number;
  /** How many slices the stock has at least. */
  readonly slices: number;
  /** A take is refused if the stock has another version. Undefined if the basket holds tickets of the stock: then it stays as it is. */
  readonly stockVersion?: number;
}

/** Names a stock within its organisation. */
export function stockName(stock: AnyStock): string {
  const { eventId, index } = stockRef(stock);
  return `${eventId} ${index}`;
}

/** The moves of the stocks that the lines take from: one for each stock, because a transaction may write an item only once. */
export function movesOf(eventId: number | null, lines: readonly LineItem[]): readonly StockMove[] {
  const moves = new Map<string, StockMove>();
  for (const line of lines) {
    for (const { stock, slices } of stocksOf(eventId, line)) {
      const known = moves.get(stockName(stock));
      moves.set(stockName(stock), {
        stock,
        tickets: (known?.tickets ?? 0) + lineTickets(line) + linePersons(line),
        slices: Math.max(slices, known?.slices ?? 1),
      });
    }
  }
  return [...moves.values()];
}

/** The use that the code of a basket has taken. It is counted as tickets are, under an id of its own. */
export function codeMoves({ code }: Pick<Basket, 'code'>): readonly StockMove[] {
  if (code === null || code.stock === null) return [];
  const { id, slices } = code.stock;
  return [{ stock: { kind: 'code', stockId: id }, tickets: 1, slices }];
}

/** How many items the lines take from: stocks and rows of seats. */
export function stockCount(eventId: number | null, lines: readonly LineItem[]): number {
  const seats = lines.flatMap((line) => line.seats);
  return movesOf(eventId, lines).length + seatMoves(eventId, seats).length;
}

function stocksOf(eventId: number | null, line: LineItem): readonly Pick<StockMove, 'stock' | 'slices'>[] {
  const { ownStock, priceIndex, stockSlices, pool } = line;
  if (isMembershipLine(line)) {
    return ownStock ? [{ stock: { kind: 'type', typeId: line.soldTypeId }, slices: stockSlices }] : [];
  }
  if (eventId === null || !isTicketLine(line)) return [];
  const own = ownStock ? [{ index: priceIndex, slices: stockSlices }] : [];
  const stocks = [...own, ...(pool === null ? [] : [pool])];
  return stocks.map(({ index, slices }) => ({ stock: { kind: 'event', eventId, index }, slices }));
}
