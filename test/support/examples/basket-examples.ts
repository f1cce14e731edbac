import type { Basket } from '../../../shared/operations/schemas/basket.ts';
import type { CheckoutOrder } from '../../../shared/operations/schemas/checkout.ts';
import { customerExample, eventExample, orderExample, priceExample } from './resource-examples.ts';

export const checkoutOrderExample: CheckoutOrder = {
  id: orderExample.order_uuid,
  order_id: orderExample.order_id,
  order_uuid: orderExample.order_uuid,
  status: 'confirmed',
  event_id: eventExample.event_id,
  total: 64.3,
  currency: 'AUD',
  customer: {
    user_id: customerExample.user_id,
    org_customer_id: customerExample.org_customer_id,
    email: 'sian.obrien@example.com',
    first_name: 'Siân',
    last_name: "O'Brien",
  },
  tickets: [
    {
      ticket_id: 3_712_000_000_000_065,
      ticket_status_id: 1,
      barcode: '7KQ2M9X4T1',
      price_id: priceExample.price_id,
      price_title: 'Adult',
      price_category_id: 3_711_000_000_000_001,
      price_category_title: 'East Stand',
      ticket_name: "Siân O'Brien",
      price: 30,
      fees: 2.15,
      section_label: 'East Stand',
      sub_section_title: 'E12',
      seat_aisle: '4',
      seat_row: 'H',
      seat_title: '17',
    },
    {
      ticket_id: 3_712_000_000_000_066,
      ticket_status_id: 1,
      barcode: '3WH8P5Z6L2',
      price_id: priceExample.price_id,
      price_title: 'Adult',
      price_category_id: 3_711_000_000_000_001,
      price_category_title: 'East Stand',
      ticket_name: null,
      price: 30,
      fees: 2.15,
      section_label: null,
      sub_section_title: null,
      seat_aisle: null,
      seat_row: null,
      seat_title: null,
    },
  ],
};

export const basketExample: Basket = {
  id: '3712000000000064',
  org_id: 'harbour-fc',
  status: 'open',
  event_id: eventExample.event_id,
  currency: 'AUD',
  items: [{ price_id: priceExample.price_id, title: 'Adult', quantity: 2, unit_price: 30, fees: 4.3, total: 64.3 }],
  fees: 4.3,
  total: 64.3,
  expires_at: 1_790_000_900,
};
