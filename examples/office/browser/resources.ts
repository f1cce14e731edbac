import type { ClubEvent, Customer, PaymentPlan, Price } from '../../site/browser/resources.ts';
import type { WithMetadata } from './with-metadata.ts';

/** The fields of the API's resources that only staff see or change. */
export interface OfficeEvent extends ClubEvent {
  readonly event_status_id: '0' | '1' | '2' | '3';
  readonly cancelled_unix: number | null;
  readonly cancel_job_id: string | null;
  readonly version: number;
}

export interface OfficePrice extends Price {
  readonly pool_id: number | null;
  /** Whether the counter sells it. */
  readonly show_boxoffice: boolean;
  /** Null for the whole pool. */
  readonly capacity: number | null;
  readonly available: number;
}

export interface Pool {
  readonly pool_id: number;
  readonly title: string;
  readonly capacity: number;
  readonly available: number;
}

export interface PriceCategory {
  readonly price_category_id: number;
  readonly title: string;
}

export interface MembershipType {
  readonly membership_type_id: number;
  readonly title: string;
}

/** Where the places of a price, a pool or a zone are: the figures add up to the capacity. */
export interface Inventory {
  readonly kind: 'price' | 'pool' | 'zone';
  readonly title: string;
  readonly capacity: number;
  readonly sold: number;
  readonly complimentary: number;
  readonly held: number;
  readonly offered: number;
  readonly blocked: number;
  readonly members: number;
  readonly free: number;
  readonly prices: readonly {
    readonly price_id: number;
    readonly price_title: string;
    readonly category_title: string;
  }[];
}

/** What one till has taken in one way. */
export interface Takings {
  readonly currency: string;
  readonly kind: string;
  readonly station: string | null;
  readonly operator: string | null;
  readonly sales: number;
  readonly refunds: number;
  readonly net: number;
  readonly orders: number;
}

export interface PriceStats {
  readonly price_id: number;
  readonly sold: number;
  readonly attended: number;
}

export interface Sales {
  readonly tickets: number;
  readonly gross_sales: number;
}

export interface SalesPeriod extends Sales {
  readonly from_unix: number;
  readonly scans: number;
}

/** Sales by price and over time. */
export interface SalesSummary {
  readonly data: readonly Sales[];
  readonly periods: readonly SalesPeriod[];
  readonly confirmed_orders: number;
}

export interface Venue {
  readonly venue_id: string;
  readonly venue_name: string;
}

/** A plan of seats as the list of them shows it. */
export interface SeatMapSummary {
  readonly seat_map_id: number;
  readonly title: string;
  readonly seats: number;
}

/** A membership in instalments, one of which is declined and not paid. */
export interface OverduePlan {
  readonly plan_id: number;
  readonly order_id: number;
  readonly members: readonly {
    readonly membership_member_id: number;
    readonly member_number: string | null;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly email_address: string | null;
  }[];
  readonly overdue_since: number;
  readonly overdue: number;
  readonly outstanding: number;
  readonly currency: string;
  readonly action_required: boolean;
}

export interface LoggedRequest {
  readonly request_id: string;
  readonly at: number;
  readonly operation_id: string;
  readonly key_id: string;
  readonly status: number;
  readonly error_code: string | null;
  readonly duration_ms: number;
}

export interface Job {
  readonly job_id: string;
  readonly status: 'running' | 'done' | 'failed';
  readonly created: number;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly report: {
    readonly failures: readonly { readonly order_id: number; readonly code: string }[];
    readonly failures_omitted: number;
  };
}

/** Codes that do the same. */
export interface Campaign {
  readonly code_campaign_id: number;
  readonly title: string;
  readonly effect: { readonly kind: 'percent' | 'amount' | 'fixed_price' | 'none'; readonly value: number };
  readonly price_ids: readonly number[] | null;
  readonly event_ids: readonly string[] | null;
  readonly reveals_price_ids: readonly number[];
  readonly uses_per_code: number | null;
  readonly from_unix: number | null;
  readonly until_unix: number | null;
  readonly version: number;
}

export interface CampaignCode {
  readonly code: string;
  /** Null if its uses are not limited. */
  readonly uses: number | null;
}

/** A basket that is kept for somebody. */
export interface HeldBasket {
  readonly id: string;
  readonly items: readonly { readonly quantity: number }[];
  readonly total: number;
  readonly hold_until_unix: number;
  readonly reason: string | null;
  readonly customer: Customer | null;
  /** For the link. Only when one basket is read. */
  readonly basket_token?: string | null;
}

export interface OfficeTicket {
  readonly ticket_id: number;
  /** 0 pending, 1 active, 2 cancelled, 3 refunded. */
  readonly ticket_status_id: number;
  readonly barcode: string | null;
  readonly price_title: string;
  readonly price_category_title: string;
  readonly ticket_name: string | null;
  readonly price: number;
  readonly fees: number;
  readonly discount: number;
  readonly section_label: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
}

export interface SoldMembership {
  readonly membership_member_id: number;
  /** People who bought one membership together have the same one. */
  readonly line_id: number;
  readonly member_number: string | null;
  readonly type_title: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly price: number;
  readonly fees: number;
  readonly discount: number;
}

export interface OfficeOrder extends WithMetadata {
  readonly order_id: number;
  readonly order_status: 'pending' | 'confirmed' | 'cancelled' | 'refunded';
  readonly order_date: number;
  /** Null for an anonymous sale. */
  readonly user_id: number | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email_address: string | null;
  readonly payment_method: string | null;
  /** Null for an order of memberships only. */
  readonly event_id: string | null;
  readonly event_title: string | null;
  readonly currency: string;
  readonly total: number;
  readonly paid: number;
  readonly outstanding: number;
  readonly refunded: number;
  /** What stays with the organisation of what was refunded. */
  readonly kept: number;
  readonly tickets: readonly OfficeTicket[];
  readonly memberships: readonly SoldMembership[];
  /** The address of a page with the tickets and their documents, for the buyer; null if it has ended. */
  readonly link: string | null;
}

/** How the memberships of an order are paid, if in instalments. */
export interface OrderPlan extends Pick<PaymentPlan, 'total' | 'paid'> {
  readonly plan_id: number;
  readonly order_id: number;
  readonly membership_member_ids: readonly number[];
}

export type ShownPlan = OrderPlan & PaymentPlan;

/** An order with what has happened to its money. */
export interface OrderMoney {
  readonly order: OfficeOrder;
  readonly refunds: readonly OrderRefund[];
  readonly plans: readonly OrderPlan[];
}

export interface OrderRefund {
  readonly refund_id: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: number;
  /** What staff still have to hand over. */
  readonly to_return: number;
  readonly kept: number;
  readonly ticket_ids: readonly number[];
  readonly membership_member_ids: readonly number[];
  readonly reason: string | null;
  readonly created: number;
}

/** Seats that are not for sale. */
export interface SeatBlock {
  readonly seat_block_id: number;
  /** As `section/row/seat`. */
  readonly seats: readonly string[];
  readonly reason: string | null;
  readonly release_unix: number | null;
}

/** Somebody who has bought something. */
export interface KnownCustomer extends WithMetadata {
  /** Orders and members refer to it. */
  readonly user_id: number;
  /** The id of paths. */
  readonly org_customer_id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email_address: string | null;
  readonly mobile_number: string | null;
  readonly postcode: string | null;
}

export interface Member extends WithMetadata {
  readonly membership_member_id: number;
  readonly member_number: string | null;
  readonly type_title: string | null;
  readonly category_title: string | null;
  readonly barcode: string | null;
  /** 0 unpaid, 1 paid, 2 instalments outstanding, 3 cancelled. */
  readonly membership_member_status_id: 0 | 1 | 2 | 3;
  readonly user_id: number | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email_address: string | null;
  readonly expires: number | null;
  readonly seat_section: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
  readonly membership_order_id: string | null;
  readonly instalments: boolean;
}
