import * as v from 'valibot';
import { journalAccess } from '../../data/journal/access.ts';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Takings } from '../schemas/takings.ts';
import { text } from '../schemas/text.ts';

export const retrieveTakings = defineOperation({
  id: 'retrieve-takings',
  resource: 'journal',
  summary: 'Retrieve the takings of counters',
  description: `Returns what was taken and returned at your counters, for the end of a shift: an item for each currency, station, operator and kind of tender, equal to the journal to the cent. An invoice counts
when it is paid. What the payment provider charged is not in it. Both ends of the time are excluded, so the next shift begins with the \`unix_end\` of this one less 1.

Gateline records cash, it is no cash register. Several countries demand a certified one, with a signature for each receipt: there, name its receipt as the \`reference\` of the tender.`,
  method: 'GET',
  paths: ['/v1/takings'],
  auth: { kind: 'metered', scope: 'finance' },
  input: {
    query: v.strictObject({
      unix_start: field(UnixBound, 'Only count what was taken after this Unix time in seconds.'),
      unix_end: v.optional(
        field(
          UnixBound,
          'Only count what was taken before this Unix time in seconds: at most 48 hours after unix_start and at least 10 seconds ago. The default is 10 seconds ago.',
        ),
      ),
      station: v.optional(field(text(40), 'Only count this station.')),
      operator: v.optional(field(text(40), 'Only count this operator.')),
      event_id: v.optional(field(v.string(), 'Only count orders for this event.')),
    }),
  },
  output: { schema: dataOf(Takings) },
  effects: { access: [journalAccess.readTakings] },
});
