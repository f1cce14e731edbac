import { shareOf } from '../money.ts';
import type { LineItem } from './basket.ts';

export interface LineItemAmounts {
  /** Face price less rebate, for one purchase. */
  readonly unitPriceMinor: number;
  /** Service fees and service tax, for the whole quantity. */
  readonly feesMinor: number;
  readonly totalMinor: number;
}

export function lineItemAmounts(line: LineItem): LineItemAmounts {
  const unitPriceMinor = line.faceMinor - line.rebateMinor;
  const feesMinor = line.quantity * (line.serviceFeeMinor + line.serviceTaxMinor);
  return { unitPriceMinor, feesMinor, totalMinor: line.quantity * unitPriceMinor + feesMinor };
}

export function basketAmounts(lines: readonly LineItem[]): {
  readonly feesMinor: number;
  readonly totalMinor: number;
} {
  const amounts = lines.map(lineItemAmounts);
  return {
    feesMinor: amounts.reduce((sum, { feesMinor }) => sum + feesMinor, 0),
    totalMinor: amounts.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
  };
}

/** A ticket of a line item, with its share of the amounts of its purchase. */
export interface LineItemTicket {
  readonly line: LineItem;
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
}

/** Returns one ticket per person. The tickets of a group share its amounts, and the shares add up exactly. */
export function lineItemTickets(line: LineItem): LineItemTicket[] {
  const { ticketsIncluded: people, quantity } = line;
  const group = Array.from({ length: people }, (_, index) => ({
    line,
    faceMinor: shareOf(line.faceMinor, people, index),
    rebateMinor: shareOf(line.rebateMinor, people, index),
    serviceFeeMinor: shareOf(line.serviceFeeMinor, people, index),
    serviceTaxMinor: shareOf(line.serviceTaxMinor, people, index),
  }));
  return Array.from({ length: quantity }, () => group).flat();
}
