import type { Customer } from '../../../shared/operations/schemas/customer.ts';
import type { Event } from '../../../shared/operations/schemas/event.ts';
import type { PriceCategoryStats, PriceStats } from '../../../shared/operations/schemas/event-stats.ts';
import type { Order } from '../../../shared/operations/schemas/order.ts';
import type { Organisation } from '../../../shared/operations/schemas/organisation.ts';
import type { Price } from '../../../shared/operations/schemas/price.ts';
import type { SalesSummaryRow } from '../../../shared/operations/schemas/sales-summary.ts';
import type { Scan } from '../../../shared/operations/schemas/scan.ts';
import type { SsoOrder } from '../../../shared/operations/schemas/sso-order.ts';
import type { SsoTicket } from '../../../shared/operations/schemas/sso-ticket.ts';

// One organisation, one match and one buyer, so that the examples agree with each other.

export const customerExample: Customer = {
  add_date: 1_756_684_800,
  org_customer_id: 'cus_01K3Z6E0T4M3R8Q2V5N7B9C1DF',
  user_id: 3_684_000_000_000_101,
  org_id: 'harbour-fc',
  first_name: 'Siân',
  last_name: "O'Brien",
  email_address: 'sian.obrien@example.com',
  marketing_emails: true,
  mobile_number: '+61 412 345 678',
  postcode: '3000',
  new_event_notifications: false,
  updated_at: 1_760_000_000,
};

export const organisationExample: Organisation = {
  org_id: 'harbour-fc',
  name: 'Harbour FC',
  company: 'Harbour Football Club Ltd',
  business_number: '51 824 753 556',
  payment_account_id: 'acct_1N4harbour',
  country: 'AU',
  country_name: 'Australia',
  timezone: 'Australia/Melbourne',
  logo_image: 'https://images.example.com/harbour/logo.png',
  background_image: 'https://images.example.com/harbour/stadium.jpg',
  favicon: 'https://images.example.com/harbour/favicon.ico',
  background_color: '#0b2545',
};

export const eventExample: Event = {
  event_id: '3711000000000512',
  title: 'Harbour FC v Rovers',
  org_id: 'harbour-fc',
  organisation_name: 'Harbour FC',
  venue_id: 'ven_harbour_park',
  venue_name: 'Harbour Park',
  online_event: false,
  url_string: 'harbour-fc-v-rovers',
  buy_tickets_url: 'https://tickets.harbourfc.example.com/harbour-fc-v-rovers',
  currency: 'AUD',
  currency_symbol: '$',
  public_event: true,
  reserved_seating: false,
  sold_out: false,
  formatted_full_event_start_date: 'Saturday 14 November 2026, 7:30 pm',
  formatted_event_start_date_day: 'Saturday',
  formatted_event_start_date_time: '7:30 pm',
  formatted_event_start_date_month: 'November',
  formatted_event_start_date_date: '14',
  formatted_event_start_date_year: '2026',
  utc_event_start_date: '2026-11-14T08:30:00Z',
  timezone: 'Australia/Melbourne',
  event_status_id: '1',
  banner_image: 'https://images.example.com/harbour/rovers.jpg',
  membership_seat_map_id: 42,
};

export const scanExample: Scan = {
  gate_id: 4,
  scan_date: '2026-11-14',
  scan_time: '18:52:07',
  gate: 'Gate 4 East',
  result: 'ok',
  ticket_name: "Siân O'Brien",
  order_id: 3_712_000_000_000_064,
  ticket_id: 3_712_000_000_000_065,
  barcode: '7KQ2M9X4T1',
  price_category_id: 3_711_000_000_000_513,
  price_category_status: 'active',
  membership_category_id: null,
  category_title: 'East Stand',
  price_title: 'Adult',
  email_address: 'sian.obrien@example.com',
  unix_local_timestamp: 1_794_682_327,
};

/** An unknown barcode, scanned by a device that does not name its gate. */
export const unknownBarcodeScanExample: Scan = {
  ...scanExample,
  gate_id: null,
  gate: null,
  result: 'invalid',
  ticket_name: null,
  order_id: null,
  ticket_id: null,
  barcode: 'https://example.com/a-poster',
  price_category_id: null,
  price_category_status: null,
  category_title: null,
  price_title: null,
  email_address: null,
};

export const priceExample: Price = {
  price_id: 3_711_000_000_000_514,
  price_category_id: 3_711_000_000_000_513,
  price_category_title: 'East Stand',
  title: 'Adult',
  price: 32.5,
  rebate: 2.5,
  service_fee: 1.95,
  service_tax: 0.2,
  group_ticket: false,
  available_from_unix: 1_788_220_800,
  available_until_unix: 1_794_645_000,
  local_available_from_unix: 1_788_256_800,
  local_available_until_unix: 1_794_684_600,
  membership_type_id: 7,
  membership_type_name: 'Full season',
  show_online: true,
  show_boxoffice: true,
  status: 'active',
  tickets_included: 1,
  scanning_flag: 0,
};

export const priceCategoryStatsExample: PriceCategoryStats = {
  price_category_id: 3_711_000_000_000_513,
  category_title: 'East Stand',
  sold: 4_210,
  attended: 3_987,
};

export const priceStatsExample: PriceStats = {
  price_id: 3_711_000_000_000_514,
  price_title: 'Adult',
  price_category_id: 3_711_000_000_000_513,
  category_title: 'East Stand',
  sold: 3_100,
  attended: 2_954,
};

export const salesSummaryRowExample: SalesSummaryRow = {
  ticket_price_category: 'East Stand',
  ticket_price: 'Adult',
  tickets: 3_100,
  orders: 1_422,
  net_sales: 93_000,
  gross_sales: 99_665,
};

export const orderExample: Order = {
  order_id: 3_712_000_000_000_064,
  order_uuid: '0199f3a2-6c1e-7d44-9a51-3f0c8e2b7d10',
  order_status: 'confirmed',
  order_date: 1_790_000_000,
  user_id: 3_684_000_000_000_101,
  first_name: 'Siân',
  last_name: "O'Brien",
  email_address: 'sian.obrien@example.com',
  postcode: '3000',
  country_id: 36,
  marketing_opt_in: true,
  transaction_fee: 0,
  discount_amount: 0,
  payment_method: 'pm_card_visa',
};

export const ssoOrderExample: SsoOrder = {
  order_id: '3712000000000064',
  order_date: '2026-09-21T14:13:20Z',
  total: 64.3,
  refunded: 0,
  currency: 'AUD',
  ticket_count: 2,
  event_id: '3711000000000512',
  event_title: 'Harbour FC v Rovers',
  event_start: '2026-11-14T08:30:00Z',
  venue_name: 'Harbour Park',
};

export const ssoTicketExample: SsoTicket = {
  ticket_id: 3_712_000_000_000_065,
  ticket_status_id: 1,
  barcode: '7KQ2M9X4T1',
  price: 30,
  fees: 2.15,
  price_title: 'Adult',
  price_category_title: 'East Stand',
  ticket_name: "Siân O'Brien",
  section_label: 'East Stand',
  sub_section_title: 'E12',
  seat_aisle: '4',
  seat_row: 'H',
  seat_title: '17',
};
