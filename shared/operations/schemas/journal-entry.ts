import * as v from 'valibot';
import { type JournalKind, journalKinds, moneyAccounts, revenueAccounts } from '../../domain/journal/entry.ts';
import { tenderKinds } from '../../domain/orders/tender.ts';
import { field, Id, Integer, Money, resource, UnixSeconds } from './fields.ts';

const JournalLine = resource('JournalLine', 'A line of a journal entry.', {
  account: field(
    v.picklist([...revenueAccounts, ...moneyAccounts]),
    'What the amount is. Revenue, which is negative in a sale: tickets, memberships, service_fees, service_tax, transaction_fee. Money, which is positive when it is received: card, cash, terminal (your own card terminal), bank, other, receivable, disputes.',
  ),
  price_id: field(v.nullable(Id), 'The price of the tickets; null for a line that is not about tickets.'),
  membership_type_id: field(
    v.nullable(Id),
    'The type of the memberships; null for a line that is not about memberships.',
  ),
  quantity: field(
    v.nullable(Integer),
    'How many tickets or memberships the line is about: negative in a refund, null for a line about the whole order.',
  ),
  amount: field(Money, 'The amount in major units of the currency. The amounts of an entry add up to 0.'),
  tax: field(Money, 'The tax that the amount contains, with the same sign, in major units of the currency.'),
});

const JournalTender = resource('JournalTender', 'How money was taken or returned at the counter, and by whom.', {
  kind: field(v.picklist(tenderKinds), 'How it was paid or returned.'),
  station: field(v.nullable(v.string()), 'The counter or the till; null if nobody said.'),
  operator: field(v.nullable(v.string()), 'The member of staff; null if nobody said.'),
  reference: field(v.nullable(v.string()), 'What another system calls it, such as a receipt; null if nobody said.'),
});

const meaningOfKind: Readonly<Record<JournalKind, string>> = {
  sale: 'an order, also what is owed of it',
  refund: 'what was returned of it',
  refund_failed: 'a refund that the provider accepted, and that failed later',
  instalment: 'a share of a membership that was paid later',
  payment: 'a payment of an invoice',
  write_off: 'what is not owed any more',
  dispute_withdrawn: 'the bank took the money back',
  dispute_returned: 'the bank returned it',
  invoice_address: 'no money, and no lines: an invoice address that was given after the sale replaces the receipt',
};
const kinds = journalKinds.map((kind) => `\`${kind}\`: ${meaningOfKind[kind]}`).join('; ');

export const JournalEntry = resource('JournalEntry', 'What moved money, and when. An entry never changes.', {
  entry_id: field(v.string(), 'Unique identifier of the entry. Entries sort by it.'),
  at: field(UnixSeconds, 'When the money moved, in Unix seconds.'),
  kind: field(v.picklist(journalKinds), `What moved the money. ${kinds}.`),
  order_id: field(Id, 'The order that was paid or refunded.'),
  event_id: field(v.nullable(v.string()), 'The event of the order; null if it has none.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the entry.'),
  tender: field(v.nullable(JournalTender), 'Who took or returned the money at the counter; null if nobody did.'),
  lines: field(v.array(JournalLine), 'What the money was for, by price or membership type, and where it is.'),
});
export type JournalEntry = v.InferOutput<typeof JournalEntry>;
