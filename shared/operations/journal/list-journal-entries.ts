import * as v from 'valibot';
import { journalAccess } from '../../data/journal/access.ts';
import { timeRangeOf } from '../events/time-range.ts';
import { defineOperation } from '../operation.ts';
import { field, Id } from '../schemas/fields.ts';
import { JournalEntry } from '../schemas/journal-entry.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';

export const listJournalEntries = defineOperation({
  id: 'list-journal-entries',
  resource: 'journal',
  summary: 'List all journal entries',
  description: `Returns what moved money, oldest first: sales, refunds, instalments, payments of invoices, write-offs and disputes (\`kind\`). An entry
is written together with what it records and never changes, so the figures of a closed month stay. Imported orders and orders whose face prices
are all 0 have none. The fees and payouts of the payment provider are not in the journal. The list ends six seconds before now, so
that no entry can appear before one that you have already read; with \`order_id\` it has the newest entries too. To continue later, set
\`unix_start\` to one minute before your last entry, and discard the entries that you already have.

The lists of one event and of one order come from an index, which has an entry shortly after it is written, usually within milliseconds.
To copy the journal without a gap, list it without \`event_id\` and \`order_id\`.`,
  method: 'GET',
  paths: ['/v1/journal'],
  auth: { kind: 'metered', scope: 'finance' },
  input: {
    query: v.strictObject({
      event_id: v.optional(field(v.string(), 'Only return entries of orders for this event.')),
      order_id: v.optional(field(Id, 'Only return entries of this order.')),
      ...timeRangeOf('Only return entries'),
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
          'The maximum number of entries per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page. Requires the same filters.')),
    }),
  },
  output: { schema: cursorListOf('journal_entries', JournalEntry), problems: ['cursor_invalid'] },
  effects: { access: [journalAccess.readJournal], secrets: ['cursors'] },
});
