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

/** Of a ticket or membership that was refunded. */
export interface KeptMoney {
  /** What the organisation kept of what it cost. Absent if everything was returned. */
  readonly keptMinor?: number | undefined;
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

/** What a refund returns of a unit: the organisation keeps of its price first, then of its fees. The tax is reduced in proportion. */
export function returnedMoney<Unit extends TicketMoney & KeptMoney>(unit: Unit): Unit {
  const { keptMinor = 0, discountMinor, serviceFeeMinor, serviceTaxMinor, taxMinor } = unit;
  if (keptMinor === 0) return unit;
  const netMinor = Math.max(0, ticketPriceMinor(unit) - discountMinor);
  const ofPriceMinor = Math.min(keptMinor, netMinor);
  const ofFeeMinor = Math.min(keptMinor - ofPriceMinor, serviceFeeMinor);
  return {
    ...unit,
    discountMinor: discountMinor + ofPriceMinor,
    serviceFeeMinor: serviceFeeMinor - ofFeeMinor,
    serviceTaxMinor: serviceTaxMinor - (keptMinor - ofPriceMinor - ofFeeMinor),
    taxMinor: netMinor === 0 ? 0 : Math.round((taxMinor * (netMinor - ofPriceMinor)) / netMinor),
  };
}

/** Every amount of a ticket. */
export function ticketAmounts(ticket: TicketMoney): number[] {
  const { faceMinor, rebateMinor, serviceFeeMinor, serviceTaxMinor, discountMinor, taxMinor } = ticket;
  return [faceMinor, rebateMinor, serviceFeeMinor, serviceTaxMinor, discountMinor, taxMinor];
}
