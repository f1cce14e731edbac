import type { EventStatus } from '../../shared/domain/events/event.ts';

/** What a price costs and how it sells. Amounts are minor units. */
export interface StagedPrice {
  readonly code: string;
  readonly title: string;
  readonly priceMinor: number;
  readonly feeMinor?: number;
  readonly taxMinor?: number;
  readonly rebateMinor?: number;
  readonly capacity: number;
  /** How many of a hundred buyers take it, roughly. */
  readonly weight: number;
  readonly ticketsIncluded?: number;
  /** The code of a membership type: only its paid members may buy. */
  readonly onlyFor?: string;
  readonly boxOfficeOnly?: true;
  readonly status?: 'inactive';
}

export interface StagedCategory {
  readonly code: string;
  readonly title: string;
  readonly prices: readonly [StagedPrice, ...StagedPrice[]];
}

/** Week 0 is the one that begins today; the day is that of the week, Sunday being 0. */
export interface StagedTime {
  readonly week: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute?: number;
}

export interface StagedEvent {
  readonly code: string;
  readonly title: string;
  /** Undefined where it is online. */
  readonly venue?: string;
  readonly at: StagedTime;
  /** What has been closed was played; by default what lies behind us. */
  readonly status?: EventStatus;
  readonly orders: number;
  readonly categories: readonly [StagedCategory, ...StagedCategory[]];
  readonly seats?: 'reserved';
  readonly seatMap?: string;
  /** There is exactly as much as was sold. */
  readonly isSoldOut?: true;
  /** The sale begins so many weeks before the event; by default eight. */
  readonly saleWeeks?: number;
  readonly isPrivate?: true;
}

/** All that a demo organisation stages in a season. */
export interface Programme {
  readonly currency: string;
  readonly timezone: string;
  readonly countryId: number;
  readonly venues: Readonly<Record<string, string>>;
  readonly gates: readonly [string, ...string[]];
  readonly events: readonly StagedEvent[];
}
