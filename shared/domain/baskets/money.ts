import { allocate, containedTaxMinor, shareOf, sumOf } from '../money.ts';
import type { TicketMoney } from '../orders/ticket-money.ts';
import type { Holder, LineItem } from './line-item.ts';

export interface LineItemAmounts {
  /** Face price less rebate, for one purchase. */
  readonly unitPriceMinor: number;
  /** What the adjustments reduce, for the whole quantity. */
  readonly discountMinor: number;
  /** Service fees and service tax, for the whole quantity. */
  readonly feesMinor: number;
  readonly totalMinor: number;
}

export function lineItemAmounts(line: LineItem): LineItemAmounts {
  const unitPriceMinor = line.faceMinor - line.rebateMinor;
  const discountMinor = line.quantity * unitDiscountMinor(line);
  const feesMinor = line.quantity * (line.serviceFeeMinor + line.serviceTaxMinor);
  const totalMinor = line.quantity * unitPriceMinor - discountMinor + feesMinor;
  return { unitPriceMinor, discountMinor, feesMinor, totalMinor };
}

/** What one purchase costs less. Adjustments reduce the price and never the fees. */
function unitDiscountMinor({ adjustments, faceMinor, rebateMinor }: LineItem): number {
  return Math.min(sumOf(adjustments.map(({ amountMinor }) => amountMinor)), faceMinor - rebateMinor);
}

export function basketAmounts(lines: readonly LineItem[]): {
  readonly feesMinor: number;
  readonly totalMinor: number;
} {
  const amounts = lines.map(lineItemAmounts);
  return {
    feesMinor: sumOf(amounts.map(({ feesMinor }) => feesMinor)),
    totalMinor: sumOf(amounts.map(({ totalMinor }) => totalMinor)),
  };
}

/** A ticket or a membership of a line item, with its share of the amounts of its purchase. */
export interface LineItemUnit<Line extends LineItem> extends TicketMoney {
  readonly line: Line;
  readonly holder: Holder | null;
  /** The full name of its seat; null without reserved seating. */
  readonly seat: string | null;
}

/** Returns one ticket or membership per person. Those of a group share its amounts, and the shares add up exactly. */
export function lineItemUnits<Line extends LineItem>(line: Line, currency: string): LineItemUnit<Line>[] {
  const { ticketsIncluded: people, quantity } = line;
  const split = (minor: number): number[] =>
    Array.from({ length: people }, (_, index) => shareOf(minor, { count: people, index, currency }));
  const faces = split(line.faceMinor);
  // No share is larger than that of the face price: a ticket never costs less than nothing.
  const rebates = allocate(line.rebateMinor, faces, currency);
  const [fees, taxes] = [split(line.serviceFeeMinor), split(line.serviceTaxMinor)];
  const shares = faces.map((faceMinor, index) => ({
    line,
    faceMinor,
    rebateMinor: rebates[index] ?? 0,
    serviceFeeMinor: fees[index] ?? 0,
    serviceTaxMinor: taxes[index] ?? 0,
  }));
  const prices = shares.map(({ faceMinor, rebateMinor }) => faceMinor - rebateMinor);
  const discounts = allocate(unitDiscountMinor(line), prices, currency);
  const group = shares.map((share, index) => {
    const discountMinor = discounts[index] ?? 0;
    return { ...share, discountMinor, taxMinor: containedTaxMinor((prices[index] ?? 0) - discountMinor, line.taxRate) };
  });
  const tickets = Array.from({ length: quantity }, () => group).flat();
  return tickets.map((ticket, index) => ({
    ...ticket,
    holder: line.holders[index] ?? null,
    seat: line.seats[index] ?? null,
  }));
}
