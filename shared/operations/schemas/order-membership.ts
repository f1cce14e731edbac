import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const OrderMembership = resource(
  'OrderMembership',
  'A membership of an order. It shows the sale; retrieve-member shows the member.',
  {
    membership_member_id: field(Id, 'The member that the order made or renewed.'),
    member_number: field(v.nullable(v.string()), "The member's number."),
    barcode: field(v.nullable(v.string()), 'The barcode that gates scan.'),
    line_id: field(
      Id,
      'The line of the basket. People who bought one membership together have the same one, and are refunded together.',
    ),
    membership_type_id: field(Id, 'The membership type.'),
    type_title: field(v.string(), 'Title of the membership type at the time of the sale.'),
    first_name: field(
      v.nullable(v.string()),
      'Given name of the member; null if it was erased, or if another customer paid for the renewal.',
    ),
    last_name: field(
      v.nullable(v.string()),
      'Family name of the member; null if it was erased, or if another customer paid for the renewal.',
    ),
    price: field(
      Money,
      'The price of this membership, in major units of the currency. People who bought one membership together share its price.',
    ),
    fees: field(Money, 'Service fees and service tax, in major units of the currency.'),
    discount: field(Money, 'What the membership cost less, in major units of the currency.'),
    expires: field(
      v.nullable(UnixSeconds),
      'When the term ends that was bought, in Unix seconds; null if it does not end.',
    ),
  },
);
export type OrderMembership = v.InferOutput<typeof OrderMembership>;
