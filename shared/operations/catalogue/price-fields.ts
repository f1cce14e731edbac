import * as v from 'valibot';
import { holderNames } from '../../domain/prices/price.ts';
import { maxRuleHours, transferRules } from '../../domain/prices/ticket-rules.ts';
import { Amount, Capacity, Position, Title } from '../schemas/catalogue-text.ts';
import { field, Id, UnixBound } from '../schemas/fields.ts';
import { metadataChange } from '../schemas/metadata.ts';

/** A basket holds at most 40 tickets, so a larger group could not be bought. */
const Tickets = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(40));
const Hours = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxRuleHours)));
const amount = (what: string) =>
  field(Amount, `${what}, in major units of the event's currency: 12.5 is 12 dollars and 50 cents.`);

/** The fields of a price that a client sets, on creation and later. */
export const priceFields = {
  price_category_id: field(Id, 'The category of the price, one of list-price-categories.'),
  title: field(Title, 'Title of the price, as fans see it, such as Adult.'),
  price: amount('Face price of one ticket'),
  rebate: amount('Rebate on the face price of one ticket'),
  service_fee: amount('Fee on top of the face price of one ticket'),
  service_tax: amount('Tax on the service fee of one ticket'),
  tax_rate: field(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'The percentage of tax that the price contains, such as 19, with at most three decimals.',
  ),
  available_from_unix: field(v.nullable(UnixBound), 'Start of the sale, in Unix seconds; null if there is none.'),
  available_until_unix: field(v.nullable(UnixBound), 'End of the sale, in Unix seconds; null if there is none.'),
  membership_type_id: field(
    v.nullable(Id),
    'The membership type that a buyer must hold as a paid member; null if anyone can buy.',
  ),
  show_online: field(v.boolean(), 'Whether the price is sold online.'),
  show_boxoffice: field(v.boolean(), 'Whether the price is sold at the counter (`channel` of open-basket).'),
  status: field(v.picklist(['active', 'inactive']), 'Whether the price is sold: active or inactive.'),
  tickets_included: field(Tickets, 'The number of tickets that one purchase includes: more than 1 for a group ticket.'),
  pool_id: field(
    v.nullable(Id),
    'The pool that the tickets are taken from, one of list-pools; null if the price has only its own.',
  ),
  capacity: field(
    v.nullable(Capacity),
    'How many tickets of the price exist, including held and sold ones; in a pool, the most that the price may sell. Null only in a pool: as many as it has.',
  ),
  scanning_flag: field(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000)),
    'A value for the gate devices of the organisation. The service does not interpret it.',
  ),
  holder_names: field(v.picklist(holderNames), 'Whether the tickets get the names of their holders.'),
  names_until_hours: field(
    Hours,
    'Until how many hours before the start fans can change the name on a ticket; null: until the start. It applies to sold tickets too, as the next three do.',
  ),
  barcode_from_hours: field(Hours, 'How many hours before the start fans see the barcode; null: at once.'),
  transfer: field(
    v.nullable(v.picklist(transferRules)),
    'Whom the holder can give a ticket to: none or anyone; null: none for members-only prices, anyone for all others.',
  ),
  transfer_until_hours: field(
    Hours,
    'Until how many hours before the start a ticket can be given to somebody else; null: until the start.',
  ),
  self_cancel: field(
    v.nullable(
      v.strictObject({
        until_hours: field(
          v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxRuleHours)),
          'Until how many hours before the start of the event.',
        ),
        keep_percent: field(
          v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
          'The percentage of what the ticket cost that stays with you, with at most three decimals: 0 returns everything.',
        ),
      }),
    ),
    'On what terms buyers can cancel tickets by themselves (cancel-own-ticket); null: not at all. Tickets that are sold, and baskets, keep the terms that they have.',
  ),
  max_per_order: field(v.nullable(Tickets), 'The most that one basket may contain of the price; null for no limit.'),
  max_per_member: field(
    v.nullable(Tickets),
    'The most that one member may buy of the price, in all orders together; null for no limit. Needs membership_type_id.',
  ),
  order_by: field(Position, 'Position within the category, lowest first.'),
  metadata: metadataChange,
};

/** The problems of every way to save a price. */
export const priceProblems = ['resource_missing', 'parameter_conflict', 'parameter_missing'] as const;
