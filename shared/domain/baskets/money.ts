import { shareOf } from '../money.ts';
import type { TicketMoney } from '../orders/ticket-money.ts';
import type { Holder, LineItem, TicketLine } from './line-item.ts';

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
export interface LineItemTicket extends TicketMoney {
  readonly line: TicketLine;
  readonly holder: Holder | null;
}

/** Returns one ticket per person. The tickets of a group share its amounts, and the shares add up exactly. */
export function lineItemTickets(line: TicketLine, currency: string): LineItemTicket[] {
  const { ticketsIncluded: people, quantity } = line;
  const group = Array.from({ length: people }, (_, index) => {
    const share = (minor: number): number => shareOf(minor, { count: people, index, currency });
    return {
      line,
      faceMinor: share(line.faceMinor),
      rebateMinor: share(line.rebateMinor),
      serviceFeeMinor: share(line.serviceFeeMinor),
      serviceTaxMinor: share(line.serviceTaxMinor),
      discountMinor: 0,
      taxMinor: 0,
    };
  });
  const tickets = Array.from({ length: quantity }, () => group).flat();
  return tickets.map((ticket, index) => ({ ...ticket, holder: line.holders[index] ?? null }));
}
