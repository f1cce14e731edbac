import * as v from 'valibot';
import { tenderKinds } from '../../domain/orders/tender.ts';
import { Amount } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';

const noted = (what: string) => v.optional(field(v.nullable(text(40)), what), null);

/** Who took or returned money, and what another system calls it. */
export const handlingEntries = {
  reference: noted(
    'What another system calls it: the receipt of the terminal or of the cash register. No personal data: the journal keeps it.',
  ),
  station: noted('Where it was: the counter or the till.'),
  operator: noted('Who did it: the number of the member of staff. The journal keeps it.'),
};

/** How the staff of a counter take the money, for check-out-basket. */
export const BasketTender = field(
  v.strictObject({
    kind: field(
      v.picklist(tenderKinds),
      'How the money was taken: in cash, with your own card terminal, by bank transfer, or in another way. `complimentary`: the basket is given away. Then every unit is reduced by its whole price (adjustment `complimentary`), fees are 0, and the use of a code is free again. `invoice`: the customer pays later (record-order-payment). It is for tickets, and needs a customer.',
    ),
    ...handlingEntries,
    reason: v.optional(
      field(v.nullable(text(200)), 'Why it is complimentary, for your staff. Required for that kind, and only for it.'),
      null,
    ),
    due_unix: v.optional(
      field(
        v.nullable(v.pipe(v.number(), v.integer())),
        'When an invoice is due, in Unix seconds, at most a year ahead. Required for that kind, and only for it.',
      ),
      null,
    ),
    valid: v.optional(
      field(
        v.nullable(v.picklist(['now', 'when_paid'])),
        'From when on the tickets of an invoice admit: at once, or when all of it is paid. Gates answer `unpaid` until then. Without it, at once.',
      ),
      null,
    ),
    received: v.optional(
      field(
        v.nullable(Amount),
        'Of cash: what the buyer handed over, in major units of the currency. The answer says the change.',
      ),
      null,
    ),
  }),
  'How the staff of your counter take the money, in place of a payment. Requires a basket of the counter, and an API key with the scope counter.',
);
