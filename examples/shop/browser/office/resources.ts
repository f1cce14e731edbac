import type { ClubEvent, Price } from '../resources.ts';

/** The fields of the API's resources that only staff see or change. */
export interface OfficeEvent extends ClubEvent {
  readonly event_status_id: '0' | '1' | '2' | '3';
  readonly cancelled_unix: number | null;
  readonly timezone: string;
  readonly version: number;
}

export interface OfficePrice extends Price {
  readonly pool_id: number | null;
  /** Null for the whole pool. */
  readonly capacity: number | null;
  readonly available: number;
}

export interface PriceStats {
  readonly price_id: number;
  readonly sold: number;
  readonly attended: number;
}

export interface Sales {
  readonly ticket_price_category: string;
  readonly ticket_price: string;
  readonly gross_sales: number;
}
