import * as v from 'valibot';
import { transferRules } from '../../domain/prices/ticket-rules.ts';
import { warningsField } from './dry-run.ts';
import { Count, field, Id, Integer, Money, resource, UnixSeconds, Version } from './fields.ts';
import { keyOnlyMetadata } from './metadata.ts';
import { MissingRequirement } from './phase.ts';

const PriceStatus = v.picklist(['active', 'inactive', 'sold_out']);
export const PriceCategoryStatus = v.picklist(['active', 'inactive']);

const entries = {
  price_id: field(Id, 'Unique identifier of the price.'),
  price_category_id: field(Id, 'The category of the price, such as a stand.'),
  price_category_title: field(v.string(), 'Title of the category.'),
  title: field(v.string(), 'Title of the price, as fans see it, such as Adult.'),
  price: field(Money, "Face price of one ticket, in major units of the event's currency."),
  rebate: field(Money, "Rebate on the face price of one ticket, in major units of the event's currency."),
  service_fee: field(Money, "Fee on top of the face price of one ticket, in major units of the event's currency."),
  service_tax: field(Money, "Tax on the service fee of one ticket, in major units of the event's currency."),
  total_price: field(
    Money,
    "What the buyer pays for one, in major units of the event's currency: `price` − `rebate` + `service_fee` + `service_tax`. Several countries demand that it is shown first.",
  ),
  tax_rate: field(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'The percentage of tax that the price contains, such as 19; null if it is not set.',
  ),
  group_ticket: field(v.boolean(), 'Whether one purchase includes several tickets.'),
  available_from_unix: field(v.nullable(UnixSeconds), 'Start of the sale, in Unix seconds; null if there is none.'),
  available_until_unix: field(v.nullable(UnixSeconds), 'End of the sale, in Unix seconds; null if there is none.'),
  local_available_from_unix: field(
    v.nullable(UnixSeconds),
    "Start of the sale in Unix seconds, plus the offset of the event's timezone at that time; null if there is none.",
  ),
  local_available_until_unix: field(
    v.nullable(UnixSeconds),
    "End of the sale in Unix seconds, plus the offset of the event's timezone at that time; null if there is none.",
  ),
  membership_type_id: field(
    v.nullable(Id),
    'The membership type that a buyer must hold as a paid member; null if anyone can buy.',
  ),
  membership_type_name: field(v.nullable(v.string()), 'Title of the membership type; null if anyone can buy.'),
  show_online: field(v.boolean(), 'Whether the price is sold online.'),
  show_boxoffice: field(v.boolean(), 'Whether the price is sold at the counter (`channel` of open-basket).'),
  status: field(
    PriceStatus,
    'Status of the price. It becomes sold_out as soon as no tickets are left, of the price or in its pool.',
  ),
  tickets_included: field(
    v.pipe(Count, v.minValue(1)),
    'The number of tickets that one purchase includes: 1, or more for a group ticket.',
  ),
  pool_id: field(
    v.nullable(Id),
    'The pool that the tickets are taken from: places that several prices of the event share, such as adult and junior of one terrace; null if the price has only its own.',
  ),
  capacity: v.optional(
    field(
      v.nullable(Count),
      'How many tickets of the price exist, including held and sold ones; in a pool, the most that the price may sell, and null if that is the whole pool. Only with an API key.',
    ),
  ),
  available: v.optional(
    field(
      Count,
      'How many tickets of the price are left: the fewest that its own capacity and its pool allow. Only with an API key.',
    ),
  ),
  few_left: v.optional(
    field(
      v.boolean(),
      'Whether few tickets are left: less than a tenth of the capacity or of the pool, or less than ten. Only with a storefront token.',
    ),
  ),
  scanning_flag: field(
    Integer,
    'A value for the gate devices of the organisation; 0 if not set. The service does not interpret it.',
  ),
  holder_names: field(
    v.picklist(['none', 'optional', 'required']),
    'Whether the tickets get the names of their holders: with none a basket accepts no names, and with required the checkout needs one for each ticket.',
  ),
  names_until_hours: field(
    v.nullable(Count),
    'Until how many hours before the start the name on a ticket can change (update-ticket); null: until the start.',
  ),
  barcode_from_hours: field(
    v.nullable(Count),
    'How many hours before the start fans see the barcode: until then it is null for the fan, with a storefront token and in order.completed. API keys and gates always see it. Null: at once.',
  ),
  transfer: field(
    v.picklist(transferRules),
    'Whom the holder can give a ticket to: nobody or anyone. Unless it is set, it is none for members-only prices and anyone for all others.',
  ),
  transfer_until_hours: field(
    v.nullable(Count),
    'Until how many hours before the start a ticket can be given to somebody else; null: until the start.',
  ),
  self_cancel: field(
    v.nullable(
      resource('SelfCancel', 'On what terms buyers can cancel their tickets by themselves.', {
        until_hours: field(Count, 'Until how many hours before the start of the event.'),
        keep_percent: field(
          v.number(),
          'The percentage of what the ticket cost that stays with the organisation. It is rounded down to what can be returned in the currency.',
        ),
      }),
    ),
    'On what terms buyers can cancel a ticket that they buy now (cancel-own-ticket); null: not at all. Every ticket keeps its terms.',
  ),
  max_per_order: field(
    v.nullable(Count),
    'The most that one basket may contain of the price; null if there is no limit.',
  ),
  max_per_member: field(
    v.nullable(Count),
    'The most that one member may buy of the price, in all orders together; null if there is no limit.',
  ),
  phase_id: v.optional(
    field(
      v.nullable(Id),
      'The phase that is open now; null if none is, or the price has none. Only in list-event-prices.',
    ),
  ),
  next_phase_from_unix: v.optional(
    field(
      v.nullable(UnixSeconds),
      'When the next phase of the price opens, in Unix seconds; null if there is none. Only in list-event-prices.',
    ),
  ),
  eligible: v.optional(
    field(
      v.boolean(),
      'Whether the fan may buy the price now, as far as phases, memberships and the limit per person decide. Only with the token of a fan.',
    ),
  ),
  missing: v.optional(
    field(
      v.array(v.picklist([...MissingRequirement.options, 'max_per_person'])),
      'Why not: the fan lacks a membership, a code (send it as code) or enough of an attribute, or has as many tickets of the phase as one person may buy (max_per_person). Only with the token of a fan.',
    ),
  ),
  code_reduction: v.optional(
    field(
      Money,
      "What the code takes off one, in major units of the event's currency: the buyer pays `total_price` less it. Only in list-event-prices with code.",
    ),
  ),
  order_by: field(Integer, 'Position within the category, lowest first.'),
  code: field(v.string(), "The organisation's own short name for the price, by which imports identify it."),
  metadata: keyOnlyMetadata,
  version: field(
    Version,
    'Raised by every change of the price and its capacity, not by sales. Send it in If-Match, so that a change by somebody else is not lost.',
  ),
};

export const Price = resource('Price', 'A ticket type of an event. Fans add prices to a basket.', entries);
export type Price = v.InferOutput<typeof Price>;

export const CheckedPrice = resource('CheckedPrice', 'A price that was written, or only checked by a dry run.', {
  ...entries,
  ...warningsField,
});
