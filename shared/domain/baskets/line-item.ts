/**
 * The items of one price in a basket. It contains a copy of the price from the time it was first added, so that a later price
 * change does not affect the basket. Amounts are in minor units for one purchase of `ticketsIncluded` tickets.
 */
export interface LineItem {
  readonly priceId: number;
  /** The index of the price within the event; stock and counters identify the price by it. */
  readonly priceIndex: number;
  readonly title: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly quantity: number;
  readonly ticketsIncluded: number;
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  /** Only buyers who prove a paid membership of this type may buy. This is checked at checkout. */
  readonly membershipTypeId: number | null;
  /** The most that one member may buy of the price; null: no limit. */
  readonly maxPerMember: number | null;
  /** The end of the price's own sale. It may be later than the end of the event's sale. */
  readonly availableUntilUnix: number | null;
  /** The slices that the stock of the price had. A price never loses one, so tickets can be returned to any of them. */
  readonly stockSlices: number;
}
