import * as v from 'valibot';
import { CheckoutOrder } from './checkout.ts';
import { Count, field, Id, Money, resource, UnixSeconds } from './fields.ts';

const BasketStatus = v.picklist(['open', 'checking_out', 'checked_out', 'expired', 'cancelled']);

export const BasketItem = resource('BasketItem', 'The tickets of one price in a basket.', {
  price_id: field(v.nullable(Id), 'The price of the tickets; null if the item is no ticket.'),
  title: field(v.string(), 'Title of the price.'),
  quantity: field(v.pipe(Count, v.minValue(1)), 'The number of tickets. A group ticket counts as one.'),
  unit_price: field(Money, 'Price of one ticket without fees, in major units of the currency.'),
  fees: field(Money, 'Service fees and service tax of the item, in major units of the currency.'),
  total: field(Money, 'unit_price times quantity, plus fees, in major units of the currency.'),
});
export type BasketItem = v.InferOutput<typeof BasketItem>;

/** The first item of a basket determines its event and its currency. */
export const Basket = resource('Basket', 'Tickets for one event that are held for a fan until checkout.', {
  id: field(v.string(), 'Unique identifier of the basket.'),
  org_id: field(v.string(), 'The organisation that sells the tickets.'),
  status: field(
    BasketStatus,
    'Only an open basket can be changed. A basket is checking_out while its payment is in progress. An expired or cancelled basket holds no tickets.',
  ),
  event_id: field(v.nullable(v.string()), 'The event of the items; null until the first item is added.'),
  currency: field(v.nullable(v.string()), 'ISO 4217 code, such as AUD; null until the first item is added.'),
  items: field(v.array(BasketItem), 'The items of the basket, one for each price.'),
  fees: field(Money, 'Fees of all items, in major units of the currency.'),
  total: field(Money, 'The amount that a checkout charges: all items including fees, in major units of the currency.'),
  expires_at: field(
    UnixSeconds,
    'When an open basket expires, in Unix seconds. While a payment waits for the buyer: when the payment is cancelled and the tickets are released.',
  ),
  order: v.optional(CheckoutOrder),
});
export type Basket = v.InferOutput<typeof Basket>;

export const OpenedBasket = resource('OpenedBasket', 'A basket that was just opened.', {
  ...Basket.entries,
  basket_token: v.optional(
    field(
      v.string(),
      'Proves that later requests come from the buyer. Only in the response to a storefront token, and never shown again.',
    ),
  ),
});
