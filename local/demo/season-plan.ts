import type { EventStatus } from '../../shared/domain/events/event.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';

/** A price of an event and how often it is bought. Amounts are in minor units. */
export interface PricePlan {
  readonly code: string;
  readonly title: string;
  readonly priceMinor: number;
  readonly feeMinor?: number;
  readonly taxMinor?: number;
  readonly rebateMinor?: number;
  /** Null: as many as the pool or the zone of its category has. */
  readonly capacity: number | null;
  /** Whether the tickets are taken from the pool of its category. */
  readonly inPool?: true;
  /** The approximate percentage of buyers who choose it. */
  readonly weight: number;
  readonly ticketsIncluded?: number;
  /** The code of a membership type. Only its paid members may buy. */
  readonly onlyFor?: string;
  readonly boxOfficeOnly?: true;
  readonly status?: 'inactive';
}

export interface CategoryPlan {
  readonly code: string;
  readonly title: string;
  /** The zone of the seat map whose seats it sells. */
  readonly zone?: string;
  /** The places that some of its prices share. */
  readonly poolCapacity?: number;
  readonly prices: readonly [PricePlan, ...PricePlan[]];
}

/** A seat map with its seats. */
export interface SeatMapPlan {
  readonly code: string;
  readonly title: string;
  readonly map: SeatMap;
}

/** A time relative to today. Week 0 starts today; weekday 0 is Sunday. */
export interface EventTime {
  readonly week: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute?: number;
}

export interface EventPlan {
  readonly code: string;
  readonly title: string;
  /** Undefined for an online event. */
  readonly venue?: string;
  readonly at: EventTime;
  /** The default is closed for events in the past and on sale for all others. */
  readonly status?: EventStatus;
  readonly orders: number;
  readonly categories: readonly [CategoryPlan, ...CategoryPlan[]];
  readonly seats?: 'reserved';
  readonly seatMap?: string;
  /** The map whose seats are sold. Without one, tickets only name their seats. */
  readonly sells?: SeatMapPlan;
  /** The capacity of every price equals the number of sold tickets. */
  readonly isSoldOut?: true;
  /** The sale starts this many weeks before the event; eight by default. */
  readonly saleWeeks?: number;
  readonly isPrivate?: true;
}

/** The venues, gates and events of a demo organisation's season. */
export interface SeasonPlan {
  readonly currency: string;
  readonly timezone: string;
  readonly countryId: number;
  readonly venues: Readonly<Record<string, string>>;
  readonly gates: readonly [string, ...string[]];
  readonly events: readonly EventPlan[];
  /** Whether some tickets of events to come were sold at the counter. */
  readonly hasCounter?: true;
}
