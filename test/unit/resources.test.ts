import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../shared/operations/schemas/customer.ts';
import { Event } from '../../shared/operations/schemas/event.ts';
import { PriceCategoryStats, PriceStats } from '../../shared/operations/schemas/event-stats.ts';
import { Member } from '../../shared/operations/schemas/member.ts';
import { MembershipCategory } from '../../shared/operations/schemas/membership-category.ts';
import { MembershipPaymentOption } from '../../shared/operations/schemas/membership-payment-option.ts';
import { MembershipType } from '../../shared/operations/schemas/membership-type.ts';
import { Order } from '../../shared/operations/schemas/order.ts';
import { Organisation } from '../../shared/operations/schemas/organisation.ts';
import { Price } from '../../shared/operations/schemas/price.ts';
import { SalesSummaryRow } from '../../shared/operations/schemas/sales-summary.ts';
import { Scan } from '../../shared/operations/schemas/scan.ts';
import { SsoOrder } from '../../shared/operations/schemas/sso-order.ts';
import { SsoTicket } from '../../shared/operations/schemas/sso-ticket.ts';
import * as membership from '../../tools/fixtures/examples/membership-examples.ts';
import * as example from '../../tools/fixtures/examples/resource-examples.ts';
import { fieldsOf, type ResourceContract, testResourceContract } from '../support/resource-contract.ts';

const contracts: Record<string, ResourceContract> = {
  Customer: {
    schema: Customer,
    example: example.customerExample,
    fields: fieldsOf(`
      add_date (integer), org_customer_id (string), user_id (integer), org_id (string), first_name (string),
      last_name (string), email_address (string), marketing_emails (boolean), mobile_number (string), postcode (string),
      new_event_notifications (boolean), updated_at (integer), metadata (object)`),
    neverNull: ['org_customer_id', 'user_id', 'org_id', 'add_date'],
  },
  Organisation: {
    schema: Organisation,
    example: example.organisationExample,
    fields: fieldsOf(`
      org_id (string), name (string), company (string), business_number (string), payment_account_id (string),
      country (string), country_name (string), timezone (string), locale (string), logo_image (string),
      background_image (string), favicon (string), background_color (string)`),
    neverNull: ['org_id', 'name', 'timezone', 'locale'],
  },
  Event: {
    schema: Event,
    example: example.eventExample,
    fields: fieldsOf(`
      event_id (string), title (string), org_id (string), organisation_name (string), venue_id (string),
      venue_name (string), online_event (boolean), url_string (string), buy_tickets_url (string), currency (string),
      currency_symbol (string), public_event (boolean), reserved_seating (boolean), sold_out (boolean),
      formatted_full_event_start_date (string), formatted_event_start_date_day (string),
      formatted_event_start_date_time (string), formatted_event_start_date_month (string),
      formatted_event_start_date_date (string), formatted_event_start_date_year (string), utc_event_start_date (string),
      timezone (string), event_status_id (string), banner_image (string), membership_seat_map_id (integer), seat_map_id (integer),
      seat_map_version (integer), allow_single_seats (boolean), code (string),
      version (integer), cancelled_unix (integer), cancel_job_id (string)`),
    sometimes: fieldsOf('metadata (object)'),
    neverNull: ['event_id', 'title', 'org_id', 'event_status_id', 'currency', 'utc_event_start_date', 'timezone'],
    values: { event_status_id: ['0', '1', '2', '3'] },
    neverWritten: { utc_event_start_date: '2026-11-14 19:30' },
  },
  Scan: {
    schema: Scan,
    example: example.scanExample,
    fields: fieldsOf(`
      gate_id (integer), scan_date (string), scan_time (string), gate (string), result (string), ticket_name (string),
      order_id (integer), ticket_id (integer), barcode (string), price_category_id (integer),
      price_category_status (string), membership_category_id (integer), category_title (string), price_title (string),
      email_address (string), section_label (string), seat_row (string), seat_title (string), unix_local_timestamp (integer), scanned_at (integer)`),
    sometimes: fieldsOf('tickets_sold (integer)'),
    neverNull: ['scan_date', 'scan_time', 'result', 'barcode', 'unix_local_timestamp', 'scanned_at'],
    values: {
      result: [
        'ok',
        'out',
        'already_scanned',
        'invalid',
        'cancelled',
        'refunded',
        'unpaid',
        'expired',
        'no_access',
        'wrong_event',
        'wrong_gate',
        'no_entries_left',
        'transferred',
      ],
      price_category_status: ['active', 'inactive'],
    },
    neverWritten: { scan_date: '14/11/2026', scan_time: '6:52 pm' },
  },
  Price: {
    schema: Price,
    example: example.priceExample,
    fields: fieldsOf(`
      price_id (integer), price_category_id (integer), price_category_title (string), title (string), price (number),
      rebate (number), service_fee (number), service_tax (number), total_price (number), tax_rate (number),
      pool_id (integer), group_ticket (boolean), available_from_unix (integer),
      available_until_unix (integer), local_available_from_unix (integer), local_available_until_unix (integer),
      membership_type_id (integer), membership_type_name (string), show_online (boolean), show_boxoffice (boolean),
      status (string), tickets_included (integer), scanning_flag (integer), holder_names (string),
      names_until_hours (integer), barcode_from_hours (integer), transfer (string), transfer_until_hours (integer),
      self_cancel (object),
      max_per_order (integer), max_per_member (integer), order_by (integer), code (string), version (integer)`),
    sometimes: fieldsOf(`
      capacity (integer), available (integer), few_left (boolean), phase_id (integer),
      next_phase_from_unix (integer), eligible (boolean), missing (array), code_reduction (number), metadata (object)`),
    neverNull: ['price_id', 'price_category_id', 'title', 'price', 'total_price', 'status', 'tickets_included'],
    values: { status: ['active', 'inactive', 'sold_out'] },
  },
  PriceCategoryStats: {
    schema: PriceCategoryStats,
    example: example.priceCategoryStatsExample,
    fields: fieldsOf(
      'price_category_id (integer), category_title (string), sold (integer), complimentary (integer), attended (integer)',
    ),
    neverNull: ['price_category_id', 'sold', 'complimentary', 'attended'],
  },
  PriceStats: {
    schema: PriceStats,
    example: example.priceStatsExample,
    fields: fieldsOf(`
      price_id (integer), price_title (string), price_category_id (integer), category_title (string), sold (integer),
      complimentary (integer), attended (integer)`),
    neverNull: ['price_id', 'price_category_id', 'sold', 'attended'],
  },
  SalesSummaryRow: {
    schema: SalesSummaryRow,
    example: example.salesSummaryRowExample,
    fields: fieldsOf(`
      ticket_price_category (string), ticket_price (string), tickets (integer), complimentary (integer), orders (integer), net_sales (number),
      gross_sales (number)`),
    neverNull: ['tickets', 'orders', 'net_sales', 'gross_sales'],
  },
  Order: {
    schema: Order,
    example: example.orderExample,
    fields: fieldsOf(`
      order_id (integer), order_uuid (string), order_status (string), order_date (integer), updated_at (integer), user_id (integer),
      currency (string), total (number), refunded (number), customer (object),
      first_name (string), last_name (string), email_address (string), postcode (string), country_id (integer),
      marketing_opt_in (boolean), transaction_fee (number), discount_amount (number), payment_method (string),
      metadata (object), external_reference (string)`),
    neverNull: [
      'order_id',
      'order_uuid',
      'order_status',
      'order_date',
      'updated_at',
      'currency',
      'total',
      'refunded',
      'customer',
      'metadata',
    ],
    values: { order_status: ['pending', 'confirmed', 'cancelled', 'refunded'] },
    neverWritten: { order_uuid: '3712000000000064' },
  },
  Member: {
    schema: Member,
    example: membership.memberExample,
    fields: fieldsOf(`
      membership_member_id (integer), member_number (string), person_id (string), membership_category_id (integer),
      category_title (string), membership_type_id (integer), type_title (string), barcode (string),
      membership_member_status_id (integer), membership_seat_id (integer),
      seat_section, seat_aisle, seat_row, seat_level, seat_gate, seat_title (string), user_id (integer),
      first_name, last_name (string), date_of_birth (string), created (integer), updated_at (integer), expires (integer),
      auto_renew (integer), gender (string), company_name (string), address, address2, suburb, state, postcode (string),
      country_id (integer), mobile_number (string), email_address (string), membership_order_id (string),
      marketing_emails (boolean), membership_fulfilled (string), fulfillment_tracking_code (string),
      instalments (boolean), metadata (object)`),
    neverNull: ['membership_member_id', 'membership_member_status_id', 'created', 'membership_fulfilled'],
    values: { membership_member_status_id: [0, 1, 2, 3], membership_fulfilled: ['yes', 'no'] },
    neverWritten: { date_of_birth: '29/02/1988' },
  },
  MembershipType: {
    schema: MembershipType,
    example: membership.membershipTypeExample,
    fields: fieldsOf(`
      membership_type_id (integer), membership_category_id (integer), category_title (string), title (string),
      price (number), currency (string), tax_rate (number), available_from_unix (integer),
      available_until_unix (integer), persons (integer), term_months (integer), expires (string),
      renews_as_membership_type_id (integer), membership_payment_option_ids (array), pro_rata (string), max_entries (integer),
      grace_days (integer), withdrawal_days (integer), offer_auto_renew (integer), show_online (integer), game_day_access (integer),
      order_by (integer), status (integer), code (string), version (integer)`),
    sometimes: fieldsOf('capacity (integer), metadata (object)'),
    neverNull: ['membership_type_id', 'membership_category_id', 'title', 'price', 'status'],
    values: { status: [0, 1] },
    neverWritten: { expires: '1793451600' },
  },
  MembershipCategory: {
    schema: MembershipCategory,
    example: membership.membershipCategoryExample,
    fields: fieldsOf(`
      membership_category_id (integer), membership_seat_map_id (integer), title (string), show_online (integer),
      image (string), game_day_access (integer), hex_color (string), order_by (integer), status (integer), code (string),
      version (integer)`),
    sometimes: fieldsOf('metadata (object)'),
    neverNull: ['membership_category_id', 'title', 'status'],
    values: { status: [0, 1] },
  },
  MembershipPaymentOption: {
    schema: MembershipPaymentOption,
    example: membership.membershipPaymentOptionExample,
    fields: fieldsOf(`
      membership_payment_option_id (string), title (string), auto_renewal (integer), fixed_end_date (integer),
      number_of_instalments (integer), order_by (integer), status (integer), code (string), version (integer)`),
    neverNull: ['membership_payment_option_id', 'title', 'number_of_instalments'],
  },
  SsoOrder: {
    schema: SsoOrder,
    example: example.ssoOrderExample,
    fields: fieldsOf(`
      order_id (string), order_date (string), total (number), refunded (number), currency (string),
      ticket_count (integer), event_id (string), event_title (string), event_start (string), venue_name (string), link (string)`),
    neverNull: ['order_id', 'order_date', 'total'],
    neverWritten: { order_date: '1790000000', event_start: '14 November 2026' },
  },
  SsoTicket: {
    schema: SsoTicket,
    example: example.ssoTicketExample,
    fields: fieldsOf(`
      ticket_id (integer), ticket_status_id (integer), barcode (string), barcode_from_unix (integer), price (number), fees (number),
      discount (number), tax (number), price_title (string), price_category_title (string), ticket_name (string), section_label (string),
      sub_section_title (string), seat_aisle (string), seat_row (string), seat_title (string)`),
    neverNull: ['ticket_id', 'ticket_status_id', 'price', 'fees'],
    values: { ticket_status_id: [0, 1, 2, 3] },
  },
};

describe.each(Object.entries(contracts))('%s', testResourceContract);

describe('Scan', () => {
  it('Scan contains tickets_sold when sales were requested', () => {
    expect(v.is(Scan, { ...example.scanExample, tickets_sold: 4_210 })).toBe(true);
  });

  it('Scan accepts an unknown barcode, with and without sales', () => {
    expect(v.safeParse(Scan, example.unknownBarcodeScanExample).issues).toBeUndefined();
    expect(v.is(Scan, { ...example.unknownBarcodeScanExample, tickets_sold: null })).toBe(true);
  });
});

describe('Price', () => {
  it('Price shows a storefront token whether few are left, and no numbers', () => {
    const { capacity: _, available: __, ...shown } = example.priceExample;
    expect(v.is(Price, { ...shown, few_left: true })).toBe(true);
  });
});

describe('Order', () => {
  it('Order accepts an imported box-office sale without personal data', () => {
    const anonymous = { user_id: null, first_name: null, last_name: null, email_address: null, postcode: null };
    expect(v.is(Order, { ...example.orderExample, ...anonymous, country_id: null, payment_method: null })).toBe(true);
  });
});

describe('Member', () => {
  it('Member accepts a member without type, seat, card, customer or personal data', () => {
    expect(v.safeParse(Member, membership.bareMemberExample).issues).toBeUndefined();
  });
});
