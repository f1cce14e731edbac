import { shareOf } from '../money.ts';
import type { BasketLine } from './basket.ts';

export interface LineAmounts {
  /** Face price less rebate, of one. */
  readonly unitPriceMinor: number;
  /** Service fees and service tax, of all. */
  readonly feesMinor: number;
  readonly totalMinor: number;
}

export function lineAmounts(line: BasketLine): LineAmounts {
  const unitPriceMinor = line.faceMinor - line.rebateMinor;
  const feesMinor = line.quantity * (line.serviceFeeMinor + line.serviceTaxMinor);
  return { unitPriceMinor, feesMinor, totalMinor: line.quantity * unitPriceMinor + feesMinor };
}

export function basketAmounts(lines: readonly BasketLine[]): {
  readonly feesMinor: number;
  readonly totalMinor: number;
} {
  const amounts = lines.map(lineAmounts);
  return {
    feesMinor: amounts.reduce((sum, { feesMinor }) => sum + feesMinor, 0),
    totalMinor: amounts.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
  };
}

/** A ticket of a line, with its share of what the purchase that it belongs to costs. */
export interface LineTicket {
  readonly line: BasketLine;
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
}

/** One for each person. The tickets of a group share its amounts, so that they add up to them to the last cent. */
export function lineTickets(line: BasketLine): LineTicket[] {
  const { ticketsIncluded: people, quantity } = line;
  const group = Array.from({ length: people }, (_, place) => ({
    line,
    faceMinor: shareOf(line.faceMinor, people, place),
    rebateMinor: shareOf(line.rebateMinor, people, place),
    serviceFeeMinor: shareOf(line.serviceFeeMinor, people, place),
    serviceTaxMinor: shareOf(line.serviceTaxMinor, people, place),
  }));
  return Array.from({ length: quantity }, () => group).flat();
}
