import type { Tender } from '../orders/tender.ts';
import type { Basket } from './basket.ts';
import type { LineItem } from './line-item.ts';
import { codeMoves, type StockMove } from './stock-moves.ts';

/** What a checkout sells, and what it returns of what the basket holds. */
export function soldAs(
  basket: Basket,
  tender: Tender | undefined,
): { readonly sold: Basket; readonly restock: readonly StockMove[] } {
  return tender?.kind === 'complimentary'
    ? { sold: givenAway(basket), restock: codeMoves(basket) }
    : { sold: basket, restock: [] };
}

/**
 * A basket that costs nothing: every unit is reduced by its whole price, and has no fees. No code applies, so the use of the basket's
 * code is for somebody else.
 */
function givenAway(basket: Basket): Basket {
  return { ...basket, code: null, lines: basket.lines.map(givenAwayLine) };
}

function givenAwayLine(line: LineItem): LineItem {
  const amountMinor = line.faceMinor - line.rebateMinor;
  return {
    ...line,
    adjustments: [{ reason: 'complimentary', source: null, amountMinor }],
    serviceFeeMinor: 0,
    serviceTaxMinor: 0,
  };
}
