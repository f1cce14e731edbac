import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Basket, BasketItem } from '../../shared/operations/schemas/basket.ts';
import { CheckoutCustomer, CheckoutOrder } from '../../shared/operations/schemas/checkout.ts';
import { OrderTicket } from '../../shared/operations/schemas/order-ticket.ts';
import * as basket from '../../tools/fixtures/examples/basket-examples.ts';
import { fieldsOf, type ResourceContract, testResourceContract } from '../support/resource-contract.ts';

const contracts: Record<string, ResourceContract> = {
  Basket: {
    schema: Basket,
    example: basket.basketExample,
    fields: fieldsOf(`
      id (string), org_id (string), status (string), channel (string), event_id (string), currency (string), items (array), code (object), fees (number),
      total (number), payment_options (array), expires_at (integer)`),
    sometimes: fieldsOf('order (object), metadata (object), external_reference (string)'),
    neverNull: ['id', 'org_id', 'status', 'channel', 'items', 'total', 'payment_options', 'expires_at', 'metadata'],
    values: { status: ['open', 'checking_out', 'checked_out', 'expired', 'cancelled'], channel: ['online', 'counter'] },
  },
  BasketItem: {
    schema: BasketItem,
    example: basket.basketExample.items[0] ?? {},
    fields: fieldsOf(`
      line_id (integer), kind (string), price_id (integer), membership_type_id (integer), title (string), quantity (integer),
      holders (array), renews (array), replaces (array), seats (array), unit_price (number), adjustments (array), fees (number), total (number)`),
    neverNull: ['line_id', 'kind', 'quantity', 'holders', 'renews', 'replaces', 'seats', 'adjustments', 'total'],
    values: { kind: ['ticket', 'membership'] },
  },
  CheckoutOrder: {
    schema: CheckoutOrder,
    example: basket.checkoutOrderExample,
    fields: fieldsOf(`
      id (string), order_id (integer), order_uuid (string), status (string), event_id (string), total (number),
      order_status (string), order_date (integer), updated_at (integer), refunded (number),
      currency (string), customer (object), tickets (array), memberships (array), change (number), link (string)`),
    sometimes: fieldsOf('metadata (object), external_reference (string)'),
    neverNull: [
      ...['id', 'order_id', 'order_uuid', 'status', 'order_status', 'order_date', 'updated_at', 'total', 'refunded'],
      ...['customer', 'tickets', 'memberships', 'metadata'],
    ],
    values: { status: ['pending', 'confirmed', 'cancelled', 'refunded'] },
  },
  CheckoutCustomer: {
    schema: CheckoutCustomer,
    example: basket.checkoutOrderExample.customer,
    fields: fieldsOf(`
      user_id (integer), org_customer_id (string), email (string), first_name (string), last_name (string)`),
    neverNull: [],
  },
  OrderTicket: {
    schema: OrderTicket,
    example: basket.checkoutOrderExample.tickets[0] ?? {},
    fields: fieldsOf(`
      ticket_id (integer), ticket_status_id (integer), barcode (string), price_id (integer), price_title (string),
      price_category_id (integer), price_category_title (string), ticket_name (string), price (number), fees (number),
      discount (number), tax (number),
      section_label (string), sub_section_title (string), seat_aisle (string), seat_row (string), seat_title (string)`),
    neverNull: ['ticket_id', 'ticket_status_id', 'price_id', 'price_category_id'],
    values: { ticket_status_id: [0, 1, 2, 3] },
  },
};

describe.each(Object.entries(contracts))('%s', testResourceContract);

describe('Basket', () => {
  it('Basket has neither event nor currency before its first item', () => {
    const empty = { event_id: null, currency: null, items: [], fees: 0, total: 0 };
    expect(v.is(Basket, { ...basket.basketExample, ...empty })).toBe(true);
  });

  it('Basket contains the whole order after checkout, so that a client can read it after a lost response', () => {
    const checkedOut = { ...basket.basketExample, status: 'checked_out', order: basket.checkoutOrderExample };
    expect(v.parse(Basket, checkedOut).order).toEqual(basket.checkoutOrderExample);
  });
});
