/** The fields of the API's resources that the pages of fans and of staff use. `/v1/openapi.json` describes all of them. */
export interface Organisation {
  readonly name: string;
  readonly timezone: string;
  /** Such as en or de-AT. */
  readonly locale: string;
  readonly background_color: string | null;
}

export interface ClubEvent {
  readonly event_id: string;
  readonly title: string;
  readonly venue_name: string | null;
  readonly online_event: boolean;
  readonly currency: string;
  readonly reserved_seating: boolean;
  /** Null: numbered seats, if there are any, are sold elsewhere. */
  readonly seat_map_id: number | null;
  readonly seat_map_version: number | null;
  readonly sold_out: boolean;
  /** In Unix seconds; null if it was not cancelled. */
  readonly cancelled_unix: number | null;
  readonly formatted_full_event_start_date: string;
  readonly formatted_event_start_date_day: string;
  readonly formatted_event_start_date_time: string;
  readonly formatted_event_start_date_month: string;
  readonly formatted_event_start_date_date: string;
  readonly utc_event_start_date: string;
  readonly timezone: string;
}

export interface Price {
  readonly price_id: number;
  readonly price_category_id: number;
  readonly price_category_title: string;
  readonly title: string;
  /** What a buyer pays for one, with all fees: shown first, because a price that grows at the checkout is a nuisance. */
  readonly total_price: number;
  readonly service_fee: number;
  readonly service_tax: number;
  /** The percentage of tax that the price contains; null if it is not set. */
  readonly tax_rate: number | null;
  readonly available_from_unix: number | null;
  readonly available_until_unix: number | null;
  readonly membership_type_name: string | null;
  readonly status: 'active' | 'inactive' | 'sold_out';
  readonly tickets_included: number;
  readonly few_left: boolean;
  readonly max_per_order: number | null;
  /** How many are left, where the shop's server tells it. */
  readonly left?: number | undefined;
  readonly holder_names: 'none' | 'optional' | 'required';
  /** The phase of the sale that is open now; null if none is, or the price has none. */
  readonly phase_id: number | null;
  readonly next_phase_from_unix: number | null;
  /** Whether the fan may buy it now. Only with the token of a fan. */
  readonly eligible?: boolean;
  /** What the code in the basket takes off one. Only with a code. */
  readonly code_reduction?: number;
  /** Why not. */
  readonly missing?: readonly (Missing | 'max_per_person')[];
}

/** What a buyer lacks to buy in a phase. */
export type Missing = 'membership' | 'code' | 'attribute';

/** A time in which prices are sold, to everyone or to some people. */
export interface Phase {
  readonly phase_id: number;
  readonly title: string;
  readonly from_unix: number | null;
  readonly until_unix: number | null;
  readonly requires: {
    readonly membership_type_ids: readonly number[] | null;
    readonly code_campaign_id: number | null;
    readonly attribute: { readonly name: string; readonly at_least: number } | null;
  };
  readonly max_per_person: number | null;
}

/** Somebody who waits for tickets that are sold out. */
export interface WaitingEntry {
  readonly entry_id: string;
  readonly event_id: string;
  readonly price_id: number;
  /** Null until the person has confirmed the address. */
  readonly quantity: number | null;
  readonly accept_less: boolean | null;
  readonly email: string;
  readonly status: 'unconfirmed' | 'waiting' | 'offered' | 'bought' | 'left' | 'passed';
  readonly basket_id: string | null;
  readonly offered_quantity: number | null;
  /** Lets the person leave; null until the person has confirmed the address. */
  readonly entry_token: string | null;
}

/** A buyer's withdrawal from memberships of an order. Most of it is null to a guest. */
export interface Withdrawal {
  readonly withdrawal_id: string;
  readonly order_id: number | null;
  readonly status: 'unconfirmed' | 'received' | 'accepted' | 'refused';
  readonly received_at: number;
  readonly period_ends_at: number | null;
  readonly used: boolean | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly reason: string | null;
}

export interface List<Item> {
  readonly data: readonly Item[];
}

export interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Where a ticket is; one that was imported may have only a part of it. */
export interface Seated {
  readonly section_label: string | null;
  readonly seat_row: string | null;
  readonly seat_title: string | null;
}

/** Somebody who can sign in at the identity provider of the demo. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

export interface Customer {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** What somebody said about one purpose and channel. */
export interface Consent {
  readonly purpose: string;
  readonly channel: 'email' | 'sms' | 'phone' | 'post';
  readonly given: boolean;
  readonly text_version: string | null;
  readonly source: 'checkout' | 'page' | 'staff' | 'import';
  readonly recorded_at: number;
  readonly order_id: number | null;
}

export interface ConsentHistory extends List<Consent> {
  /** What counts now. */
  readonly current: readonly Consent[];
}

/** What the buyer has to do at the payment provider. */
export interface NextStep {
  readonly next_action: { readonly redirect_to_url: { readonly url: string } | null } | null;
}

export interface Instalment {
  readonly number: number;
  readonly due: number;
  readonly amount: number;
  readonly status: 'planned' | 'paid' | 'failed' | 'action_required' | 'cancelled';
}

/** A saved card as its owner knows it. */
export interface SavedCard {
  readonly brand: string;
  readonly last4: string;
  /** The last month in which it is valid, such as 2030-04. */
  readonly expires: string;
}

export interface PaymentPlan {
  /** Null if there is none, or if the payment provider does not say. */
  readonly payment_method: SavedCard | null;
  readonly currency: string;
  readonly total: number;
  readonly paid: number;
  readonly outstanding: number;
  readonly disputed_at: number | null;
  readonly instalments: readonly Instalment[];
}
