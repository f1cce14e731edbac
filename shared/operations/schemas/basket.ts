import * as v from 'valibot';
import { CheckoutOrder } from './checkout.ts';
import { Count, field, Id, Money, resource, UnixSeconds } from './fields.ts';

const BasketStatus = v.picklist(['open', 'checking_out', 'checked_out', 'expired', 'cancelled']);

export const BasketItem = resource('BasketItem', 'What a basket holds of one price.', {
  price_id: field(Id, 'The price that is held.'),
  title: field(v.string(), 'Title of that price.'),
  quantity: field(v.pipe(Count, v.minValue(1)), 'How many of the price; a group ticket counts as one here.'),
  unit_price: field(Money, 'Price of one without fees, in major units of the currency.'),
  fees: field(Money, 'Service fees and service tax of all of them, in major units of the currency.'),
  total: field(Money, 'unit_price times quantity, plus fees.'),
});
export type BasketItem = v.InferOutput<typeof BasketItem>;

/** A basket has no event, and so no currency, until its first item decides both. */
export const Basket = resource('Basket', 'Tickets of one event that are held for a fan until they are paid for.', {
  id: field(v.string(), 'Names the basket in every path below /v1/baskets.'),
  org_id: field(v.string(), 'The organisation that sells.'),
  status: field(
    BasketStatus,
    'Only an open basket can be changed; checking_out waits for the payment; an expired or cancelled one holds nothing.',
  ),
  event_id: field(v.nullable(v.string()), 'The event of the items; null until the first item is added.'),
  currency: field(v.nullable(v.string()), 'ISO 4217 code, such as AUD; null until the first item is added.'),
  items: field(v.array(BasketItem), 'What is held, one entry for each price.'),
  fees: field(Money, 'Fees of all items, in major units of the currency.'),
  total: field(Money, 'What a checkout charges: all items with their fees, in major units of the currency.'),
  expires_at: field(UnixSeconds, 'Until when an open basket holds its items, in Unix seconds.'),
  order: v.optional(CheckoutOrder),
});
export type Basket = v.InferOutput<typeof Basket>;
