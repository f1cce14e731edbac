import * as v from 'valibot';
import { salesChannels } from '../../domain/baskets/basket.ts';
import { unusedReasons } from '../../domain/baskets/code-adjustments.ts';
import { CheckoutOrder } from './checkout.ts';
import { Count, field, Id, Money, resource, UnixSeconds } from './fields.ts';
import { keyOnlyMetadata, keyOnlyReference } from './metadata.ts';

const BasketStatus = v.picklist(['open', 'checking_out', 'checked_out', 'expired', 'cancelled']);

const BasketLineHolder = resource('BasketLineHolder', 'The person that a ticket or a membership of a line is for.', {
  first_name: field(v.nullable(v.string()), 'Given name; null if it is unknown.'),
  last_name: field(v.nullable(v.string()), 'Family name; null if it is unknown.'),
  membership_member_id: field(v.nullable(Id), 'The membership of the person; null if there is none.'),
  email: field(v.nullable(v.string()), 'Email address of a person who becomes a member; null if it is unknown.'),
  date_of_birth: field(
    v.nullable(v.string()),
    'Date of birth of a person who becomes a member, YYYY-MM-DD; null if it is unknown.',
  ),
});

const BasketLineAdjustment = resource('BasketLineAdjustment', 'A change of the price of each unit of a line.', {
  reason: field(v.string(), 'Why the price changes, such as code, pro_rata or replaced_term.'),
  source: field(v.nullable(v.string()), 'What caused it, such as the code; null if there is nothing to name.'),
  amount: field(Money, 'What each unit costs more, in major units of the currency: negative for a reduction.'),
});

/** A client that knows no lines sees one item for each price, as long as it sends no holders. */
export const BasketItem = resource(
  'BasketItem',
  'A line of a basket: tickets of one price, or a membership for one or several people.',
  {
    line_id: field(Id, 'Identifies the line within the basket. It is not used again after the line is removed.'),
    kind: field(v.picklist(['ticket', 'membership']), 'What the line sells.'),
    price_id: field(v.nullable(Id), 'The price of the tickets; null for a membership.'),
    membership_type_id: field(v.nullable(Id), 'The membership type that is sold; null for tickets.'),
    title: field(v.string(), 'Title of the price or of the membership type.'),
    quantity: field(
      v.pipe(Count, v.minValue(1)),
      'The number of tickets. A group ticket counts as one, and so does a membership for several people.',
    ),
    holders: field(
      v.array(BasketLineHolder),
      'Whom the tickets or the membership are for: the first holder has the first ticket, and so on. Empty if they are unknown, and after the checkout: then the tickets and memberships of the order have the names.',
    ),
    renews: field(
      v.array(Id),
      'The members whose membership the line renews: all who were bought together. Empty if the line makes new members, or sells tickets.',
    ),
    replaces: field(
      v.array(Id),
      'The members whose membership the line replaces by one of another type; empty if there are none.',
    ),
    seats: field(v.array(v.string()), 'The seats of the tickets; empty without reserved seating.'),
    unit_price: field(
      Money,
      'Price of one ticket or membership without fees and adjustments, in major units of the currency.',
    ),
    adjustments: field(v.array(BasketLineAdjustment), 'What changes the price of each unit; empty if nothing does.'),
    fees: field(Money, 'Service fees and service tax of the item, in major units of the currency.'),
    total: field(Money, 'unit_price and adjustments times quantity, plus fees, in major units of the currency.'),
  },
);
export type BasketItem = v.InferOutput<typeof BasketItem>;

const BasketCode = resource('BasketCode', 'The code that was applied to a basket.', {
  code: field(v.string(), 'The code, in capitals.'),
  reduction: field(Money, 'What the code reduces in all, in major units of the currency.'),
  unused_because: field(
    v.nullable(v.picklist(unusedReasons)),
    'Why the code does nothing now: the basket is empty, it has no item that the code is for, or these do not become cheaper. Null if the code is used.',
  ),
});

const DueAmount = resource('BasketInstalment', 'What is charged later.', {
  due: field(UnixSeconds, 'When it is charged, in Unix seconds.'),
  amount: field(Money, 'The amount, in major units of the currency.'),
});

export const BasketPaymentOption = resource('BasketPaymentOption', 'A way to pay for the memberships of a basket.', {
  membership_payment_option_id: field(v.string(), 'Identifies the option for check-out-basket and prepare-payment.'),
  title: field(v.string(), 'Title of the option.'),
  due_now: field(
    Money,
    'What the checkout charges: tickets, fees and the first share of each membership, in major units of the currency.',
  ),
  instalments: field(
    v.array(DueAmount),
    'What is charged later, the earliest first; empty if everything is paid at once. The days are those of a checkout now.',
  ),
  auto_renewal: field(
    v.boolean(),
    'Whether the membership renews itself at the end of its term, and is charged then (see set-auto-renew).',
  ),
});

/** The first item of a basket determines its currency, and the first ticket its event. */
export const Basket = resource(
  'Basket',
  'Tickets for one event, and memberships, that are held for a fan until checkout.',
  {
    id: field(v.string(), 'Unique identifier of the basket.'),
    org_id: field(v.string(), 'The organisation that sells the tickets.'),
    status: field(
      BasketStatus,
      'Only an open basket can be changed. A basket is checking_out while its payment is in progress. An expired or cancelled basket holds no tickets.',
    ),
    channel: field(v.picklist(salesChannels), 'Where it is sold: `counter` if your staff opened it for their counter.'),
    event_id: field(v.nullable(v.string()), 'The event of the tickets; null while there are none.'),
    currency: field(v.nullable(v.string()), 'ISO 4217 code, such as AUD; null until the first item is added.'),
    items: field(v.array(BasketItem), 'The lines of the basket.'),
    code: field(v.nullable(BasketCode), 'The code that was applied (apply-code); null if there is none.'),
    fees: field(Money, 'Fees of all items, in major units of the currency.'),
    total: field(
      Money,
      'What the basket costs: all items including fees, in major units of the currency. A checkout charges it, or with a payment option only its `due_now`.',
    ),
    payment_options: field(
      v.array(BasketPaymentOption),
      'How the memberships of a basket that is not paid can be paid for: the options that all of them offer. Empty without memberships.',
    ),
    expires_at: field(
      UnixSeconds,
      'When an open basket expires, in Unix seconds: 15 minutes after its first item. While a payment waits for the buyer: when the payment is cancelled and the tickets are released.',
    ),
    metadata: keyOnlyMetadata,
    external_reference: keyOnlyReference,
    order: v.optional(CheckoutOrder),
  },
);
export type Basket = v.InferOutput<typeof Basket>;

const HeldFor = resource('HeldFor', 'The person that an organisation keeps a basket for.', {
  email: field(v.string(), 'Email address of the person.'),
  first_name: field(v.string(), 'Given name of the person.'),
  last_name: field(v.string(), 'Family name of the person.'),
});

const heldEntries = {
  hold_until_unix: field(UnixSeconds, 'Until when the organisation keeps the basket, in Unix seconds.'),
  reason: field(v.nullable(v.string()), 'Why the organisation keeps the basket; null if it said nothing.'),
  customer: field(v.nullable(HeldFor), 'Whom the organisation keeps the basket for; null if it named nobody.'),
};

/** An ended basket says nothing of this any more. */
export const HeldBasket = resource('HeldBasket', 'A basket that an organisation keeps for somebody.', {
  ...Basket.entries,
  ...heldEntries,
});
export type HeldBasket = v.InferOutput<typeof HeldBasket>;

export const RetrievedBasket = resource(
  'RetrievedBasket',
  'A basket. One that an organisation keeps for somebody says so to an API key with the scope orders:write.',
  {
    ...Basket.entries,
    ...v.partial(v.object(heldEntries)).entries,
    basket_token: v.optional(
      field(
        v.nullable(v.string()),
        'Lets a page with a storefront token of the organisation show, change and pay the basket: send it in a link. Null if the organisation has no storefront token.',
      ),
    ),
  },
);

export const OpenedBasket = resource('OpenedBasket', 'A basket that was just opened.', {
  ...Basket.entries,
  basket_token: v.optional(
    field(
      v.string(),
      'Proves that later requests come from the buyer. Only in the response to a storefront token, and never shown again.',
    ),
  ),
});
