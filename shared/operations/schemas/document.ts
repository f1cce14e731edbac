import * as v from 'valibot';
import { documentKinds } from '../../domain/receipts/document.ts';
import { field, Id, Integer, IsoTimestamp, Money, resource, UnixSeconds } from './fields.ts';
import { InvoiceAddress } from './invoice-address.ts';

const text = (meaning: string) => field(v.nullable(v.string()), `${meaning}; null if there is none.`);

const DocumentSeller = resource('DocumentSeller', 'Who has sold, as your settings said when the document was issued.', {
  name: field(v.string(), 'The registered name.'),
  address: field(v.string(), 'The address, which may have several lines.'),
  tax_id: text('The tax id'),
});

const rated = {
  net: field(Money, 'The amount without tax, in major units of the currency.'),
  tax_rate: field(v.nullable(v.number()), 'The tax rate in percent; null for amounts without a rate.'),
  tax: field(Money, 'The tax: the sum of what was frozen with each unit at its sale. Nothing is rounded again.'),
  gross: field(Money, 'net plus tax.'),
};

const DocumentLine = resource('DocumentLine', 'A line of a receipt or credit note.', {
  title: field(v.string(), 'What was sold.'),
  event_title: text('The title of its event'),
  event_start: field(v.nullable(IsoTimestamp), 'Start of the event, ISO 8601 in UTC; null if there is none.'),
  quantity: field(Integer, 'How many; negative in a credit note.'),
  ...rated,
});

const DocumentTax = resource('DocumentTax', 'What the lines with one tax rate add up to.', rated);

const DocumentReference = resource('DocumentReference', 'The document that this one corrects.', {
  number: field(v.string(), 'Its number.'),
  issued_at: field(UnixSeconds, 'When it was issued, in Unix seconds.'),
});

const DocumentPayment = resource('DocumentPayment', 'How a part of the total was paid or returned.', {
  kind: field(v.string(), 'An account of the journal, such as card, cash, bank or receivable, which is paid later.'),
  amount: field(Money, 'The amount in major units of the currency; negative in a credit note.'),
});

const head = {
  document_id: field(v.string(), 'Unique identifier of the document. Documents sort by it.'),
  kind: field(v.picklist(documentKinds), 'receipt or credit_note. The amounts of a credit note are negative.'),
  number: field(v.string(), 'Its number. A series, which is the text before the digits at the end, has no gaps.'),
  issued_at: field(UnixSeconds, 'When the money moved, in Unix seconds: the time of the journal entry.'),
  order_id: field(Id, 'The order.'),
  entry_id: field(v.string(), 'The journal entry that the document is for.'),
  refers_to: field(
    v.nullable(DocumentReference),
    'The receipt that it corrects: of a credit note, and of a receipt that takes one back because its refund failed. Null for every other receipt, also for one that takes a credit note back and is the first with the invoice address.',
  ),
};

const sum = {
  total: field(Money, 'The total in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount.'),
};

export const Document = resource(
  'Document',
  'A receipt, or the credit note of a refund. It never changes, except that the buyer is removed after the years for which you keep documents.',
  {
    ...head,
    seller: DocumentSeller,
    buyer: field(
      v.nullable(InvoiceAddress),
      'The invoice address of the order when it was issued; null if there was none.',
    ),
    lines: field(v.array(DocumentLine), 'What was sold or returned. Fees and service tax are lines of their own.'),
    tax_breakdown: field(
      v.array(DocumentTax),
      'The lines by tax rate. They add up to it, and it adds up to the total.',
    ),
    ...sum,
    paid_by: field(v.array(DocumentPayment), 'How the total was paid or returned.'),
  },
);
export type Document = v.InferOutput<typeof Document>;

/** Without the buyer: a copy in the feed would outlive an erasure of the person. */
export const DocumentNotice = resource(
  'DocumentNotice',
  'A document that was issued. retrieve-document returns all of it.',
  { ...head, ...sum },
);
