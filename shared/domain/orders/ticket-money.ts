/** The amounts of a ticket, in minor units: its price is the face price less the rebate, its fees are service fee and tax. */
export interface TicketMoney {
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  /** The ticket's part of what reduces the order. */
  readonly discountMinor: number;
  /** The tax that price less discount contains. */
  readonly taxMinor: number;
}

export function ticketPriceMinor({ faceMinor, rebateMinor }: TicketMoney): number {
  return faceMinor - rebateMinor;
}

export function ticketFeesMinor({ serviceFeeMinor, serviceTaxMinor }: TicketMoney): number {
  return serviceFeeMinor + serviceTaxMinor;
}

/** What the ticket cost, and what its refund returns: its price and its fees, less its part of what reduced the order. */
export function ticketCostMinor(ticket: TicketMoney): number {
  return ticketPriceMinor(ticket) + ticketFeesMinor(ticket) - ticket.discountMinor;
}

/** Every amount of a ticket. */
export function ticketAmounts(ticket: TicketMoney): number[] {
  const { faceMinor, rebateMinor, serviceFeeMinor, serviceTaxMinor, discountMinor, taxMinor } = ticket;
  return [faceMinor, rebateMinor, serviceFeeMinor, serviceTaxMinor, discountMinor, taxMinor];
}
