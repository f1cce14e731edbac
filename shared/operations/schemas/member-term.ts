import * as v from 'valibot';
import { termStates } from '../../domain/members/term.ts';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const MemberTerm = resource(
  'MemberTerm',
  'A term of a member: what was bought, and from when to when it is valid.',
  {
    term_id: field(Id, 'Unique identifier of the term.'),
    membership_type_id: field(Id, 'The membership type that was bought.'),
    from: field(UnixSeconds, 'When the term begins, in Unix seconds.'),
    until: field(v.nullable(UnixSeconds), 'When the term ends, in Unix seconds; null if it does not end.'),
    order_id: field(Id, 'The order that bought the term.'),
    price: field(Money, 'What the term cost, without fees, in major units of the currency.'),
    currency: field(v.string(), 'ISO 4217 code, such as AUD, of the price.'),
    state: field(
      v.picklist([...termStates, 'replaced']),
      'A cancelled or refunded term ended when that happened, a replaced one when the next term began. Of the others, the dates say which is current.',
    ),
  },
);
export type MemberTerm = v.InferOutput<typeof MemberTerm>;
