import type { Metadata } from '../metadata.ts';
import type { SelfCancel } from './self-cancel.ts';
import type { TicketRules } from './ticket-rules.ts';

/** An event's id ends in nine zero bits; the ids of its prices and pools are the 511 numbers after it. */
export const maxPrices = 511;

export type OnSale = 'active' | 'inactive';

/** Whether tickets of a price get the names of their holders. */
export const holderNames = ['none', 'optional', 'required'] as const;
export type HolderNames = (typeof holderNames)[number];

/** A group of an event's prices, such as a stand. */
export interface PriceCategoryRecord {
  readonly categoryId: number;
  readonly eventId: number;
  /** The organisation's own short name for the category within the event. Imports identify the category by it. */
  readonly code: string;
  readonly title: string;
  readonly status: OnSale;
  readonly orderBy: number;
  /** The zone of the seat map that its prices sell; null without reserved seating. */
  readonly zone: string | null;
  readonly version: number;
}

/** The fields of a price that the platform team sets. Amounts are in minor units of the event's currency, for one purchase. */
export interface PriceFields extends TicketRules {
  readonly categoryId: number;
  readonly title: string;
  readonly priceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  readonly availableFromUnix: number | null;
  readonly availableUntilUnix: number | null;
  /** Only paid members of this type may buy. */
  readonly membershipTypeId: number | null;
  readonly showOnline: boolean;
  readonly showBoxoffice: boolean;
  readonly status: OnSale;
  /** How many tickets one purchase includes: more than 1 makes it a group ticket. */
  readonly ticketsIncluded: number;
  readonly scanningFlag: number;
  /** The most that one basket may contain of the price; null: no limit of its own. */
  readonly maxPerOrder: number | null;
  /** The most that one member may buy of the price, in all orders together; null: no limit. */
  readonly maxPerMember: number | null;
  readonly holderNames: HolderNames;
  readonly orderBy: number;
  /** The percentage of tax that the price contains; null if it is unknown. */
  readonly taxRate: number | null;
  /** Null: buyers cannot cancel tickets of the price by themselves. */
  readonly selfCancel: SelfCancel | null;
  /** The pool, by its index within the event, that the tickets are taken from; null: only from the stock of the price. */
  readonly poolIndex: number | null;
}

/** A ticket type of an event. */
export interface PriceRecord extends PriceFields {
  readonly eventId: number;
  /** 1 to 511 within the event. Counters and stock identify the price by it, so it never changes and is never reused. */
  readonly index: number;
  readonly priceId: number;
  /** The organisation's own short name for the price within the event. Imports identify the price by it. */
  readonly code: string;
  /** Whether the price has a stock of its own. A price in a pool has one only if it has a capacity of its own inside the pool. */
  readonly ownStock: boolean;
  /** Whether the seats of its zone are its capacity: it has neither a stock of its own nor a pool. */
  readonly seatsOnly: boolean;
  /** How many slices its own stock has. It grows with the capacity. */
  readonly stockSlices: number;
  /**
   * How often the price has changed the stocks that it takes from. The slices of its own stock have the same number, and a hold
   * takes tickets on that condition: a buyer who read the price before the change takes nothing from the wrong stock.
   */
  readonly stockVersion: number;
  /** Absent if there is none. */
  readonly metadata?: Metadata | undefined;
  readonly version: number;
}

/** The tickets of a price or a pool. Those that are not available are held in baskets or sold. */
export interface Stock {
  readonly avail: number;
  readonly capacity: number;
  /** Somebody waits for it, so nobody else can take what is available (ADR 65). Absent: it is open. */
  readonly closed?: true;
}

export function priceIdOf(eventId: number, index: number): number {
  return eventId + index;
}

const idsPerBlock = maxPrices + 1;

/** Returns the event and the index of a price; undefined for a number that cannot be the id of a price. */
export function priceOfId(priceId: number): { readonly eventId: number; readonly index: number } | undefined {
  const index = priceId % idsPerBlock;
  return index === 0 ? undefined : { eventId: priceId - index, index };
}

/** Whether everyone may know of the price: what a storefront token shows of an event in the catalogue. */
export function isPriceInCatalogue(
  { status, showOnline }: Pick<PriceRecord, 'status' | 'showOnline'>,
  category: Pick<PriceCategoryRecord, 'status'> | undefined,
): boolean {
  return status === 'active' && showOnline && category?.status === 'active';
}
