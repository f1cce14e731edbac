import type { Named, Seated } from '../../site/browser/resources.ts';

/** The fields of the API's resources that only this shop uses. `/v1/openapi.json` describes all of them. */
export type Holder = Named;

/** Whom a receipt is made out to, as far as it was filled in. */
export type InvoiceAddress = Partial<
  Record<'company' | 'address' | 'postcode' | 'city' | 'country' | 'tax_id' | 'reference', string>
>;

/** A way to pay for the memberships of a basket. */
export interface PaymentOption {
  readonly membership_payment_option_id: string;
  readonly title: string;
  readonly due_now: number;
  readonly instalments: readonly { readonly due: number; readonly amount: number }[];
  readonly auto_renewal: boolean;
}

/** What a checkout sends of the option that the buyer chose. */
export interface PaymentChoice {
  readonly membership_payment_option_id: string;
  readonly consent?: true;
  /** The words that the buyer agreed to. The service keeps them. */
  readonly consent_text?: string;
}

export interface BasketItem {
  readonly line_id: number;
  readonly price_id: number | null;
  readonly holders: readonly Holder[];
  /** As `section/row/seat`. */
  readonly seats: readonly string[];
  /** The members whose membership the line renews, or replaces by another one. */
  readonly renews: readonly number[];
  readonly replaces: readonly number[];
  readonly title: string;
  readonly quantity: number;
  readonly unit_price: number;
  /** What changes the price of each, such as a code. */
  readonly adjustments: readonly { readonly amount: number }[];
  readonly total: number;
}

export interface Basket {
  readonly id: string;
  readonly status: 'open' | 'checking_out' | 'checked_out' | 'expired' | 'cancelled';
  readonly event_id: string | null;
  readonly currency: string | null;
  readonly items: readonly BasketItem[];
  /** What the code of the basket does, or why it does nothing. */
  readonly code: {
    readonly code: string;
    readonly reduction: number;
    readonly unused_because: 'basket_empty' | 'no_matching_item' | 'no_reduction' | null;
  } | null;
  readonly fees: number;
  readonly total: number;
  readonly payment_options: readonly PaymentOption[];
  readonly expires_at: number;
  readonly order?: Order;
}

export interface Ticket extends Seated {
  readonly ticket_id: number;
  readonly ticket_status_id: number;
  /** Null until the price shows it: `barcode_from_hours`. */
  readonly barcode: string | null;
  readonly price_title: string;
  readonly price_category_title: string;
  readonly ticket_name: string | null;
}

/** A ticket as its holder retrieves it. */
export interface LinkedTicket extends Ticket {
  readonly link: string | null;
  readonly event_title: string;
  readonly event_start: string;
  /** In Unix seconds; null if the buyer cannot cancel it. */
  readonly self_cancel_until_unix: number | null;
}

/** What comes back of a ticket that its buyer cancels. */
export interface OwnCancellation {
  readonly amount: number;
  readonly kept: number;
  readonly currency: string;
  readonly until_unix: number;
}

/** An offer to give a ticket away. */
export interface Transfer {
  readonly transfer_id: string;
  readonly status: 'offered' | 'accepted' | 'cancelled' | 'expired';
  readonly email: string | null;
}

/** What a friend sees of an offer before accepting it. */
export interface OfferedTicket
  extends Seated,
    Pick<LinkedTicket, 'event_title' | 'event_start' | 'price_title' | 'price_category_title'> {
  readonly giver_first_name: string | null;
  readonly venue_name: string | null;
}

export interface Order {
  readonly order_id: number;
  /** Null for an order of memberships only. */
  readonly event_id: string | null;
  readonly total: number;
  readonly currency: string;
  readonly tickets: readonly Ticket[];
  readonly memberships: readonly OrderMembership[];
  /** A page with the tickets, without signing in. */
  readonly link: string | null;
}

export interface OrderMembership extends Named {
  readonly membership_member_id: number;
  readonly member_number: string | null;
  readonly barcode: string | null;
  readonly type_title: string | null;
  /** In Unix seconds. */
  readonly expires: number | null;
}

export interface FanOrder {
  readonly order_id: string;
  readonly total: number;
  readonly currency: string;
  readonly refunded: number;
  /** Those that are neither cancelled nor refunded, also the ones that were given away. */
  readonly ticket_count: number;
  /** An order of memberships only has no event. */
  readonly event_title: string | null;
  readonly event_start: string | null;
  readonly order_date: string;
  readonly venue_name: string | null;
}

/** Values of `membership_member_status_id`. */
export const [unpaidMember, cancelledMember] = [0, 3] as const;

export interface FanMembership extends OrderMembership {
  readonly membership_type_id: number | null;
  readonly category_title: string | null;
  readonly membership_member_status_id: number;
  readonly auto_renew: 0 | 1;
  readonly cancelled_at: number | null;
  readonly seat_section: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
}

export interface MembershipType {
  readonly membership_type_id: number;
  readonly category_title: string;
  readonly title: string;
  readonly price: number;
  readonly currency: string | null;
  readonly persons: number;
  readonly term_months: number | null;
  /** Null for the same type, which then needs `term_months`. */
  readonly renews_as_membership_type_id: number | null;
  /** ISO 8601. */
  readonly expires: string | null;
  readonly available_from_unix: number | null;
  readonly available_until_unix: number | null;
  readonly max_entries: number | null;
}

export interface MemberTerm {
  readonly term_id: number;
  readonly membership_type_id: number;
  readonly from: number;
  readonly until: number | null;
  readonly price: number;
  readonly currency: string;
  readonly state: 'active' | 'replaced' | 'cancelled' | 'refunded';
}

interface Scan extends Seated {
  readonly scan_time: string;
  readonly gate: string | null;
  readonly ticket_name: string | null;
  readonly category_title: string | null;
  readonly price_title: string | null;
}

export interface RecordedScan {
  readonly result: string;
  readonly scan: Scan;
  readonly first_scan: Scan | null;
}

/** A receipt or a credit note. */
export interface Receipt {
  readonly document_id: string;
  readonly kind: 'receipt' | 'credit_note';
  readonly number: string;
}

/** A webhook that arrived at the shop's server, as its page shows it. */
export interface Arrival {
  readonly id: string;
  readonly arrivedUnix: number;
  readonly outcome: 'verified' | 'repeated' | 'refused';
  /** Why it was refused. */
  readonly reason?: string;
  readonly type?: string;
  readonly body?: unknown;
}
