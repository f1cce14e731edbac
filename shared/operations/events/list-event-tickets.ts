import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { gatesAccess } from '../../data/gates/access.ts';
import { defineOperation } from '../operation.ts';
import { EventTicket } from '../schemas/event-ticket.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { eventPath } from './event-path.ts';

export const listEventTickets = defineOperation({
  id: 'list-event-tickets',
  resource: 'events',
  summary: 'List the tickets that a gate needs without a connection',
  description: `Returns the tickets of the event, and after them the members with access on game days, page by page. A gate that has them
admits people without a connection and reports its scans later.

First read all pages. Then read what changed with \`updated_since\`: the time at which the previous reading began, by the \`Date\` of its first
response, less 60 seconds. It returns every ticket and every member that was sold, cancelled, refunded or given to another holder since then, also those that are
not admitted any more. Nothing is missed; some come twice. Scans are not part of it: list-event-scans has them. If a membership type
gets or loses access on game days, read all pages again.

A member with \`max_entries\` is in the pages of every event while an entry of the term is left, and of the events that it was admitted to. When the last
entry is used, \`updated_since\` returns the member for other events with a \`ticket_status_id\` that does not admit.

A gate token may read the tickets only if it was issued for offline use (\`gate token issue --offline\`), and only of its events. Then
\`barcode\` and \`ticket_name\` are null, so that a stolen scanner does not contain printable tickets.

To tell people that the event is moved or cancelled, read all pages with \`addresses=true\` and write to the \`holder_email\` of each row that has
\`to_notify\`, once for each address. An API key only: a gate token gets no address (403).`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/tickets'],
  auth: { kind: 'metered', scope: 'read', gates: true },
  input: {
    params: eventPath,
    query: v.strictObject({
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_500)), 'The number of items per page.'),
        500,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
      updated_since: v.optional(
        field(UnixBound, 'Only return what changed after this Unix time in seconds, in the order of the changes.'),
      ),
      addresses: v.optional(
        field(
          v.boolean(),
          'Whether to return order_id, buyer_email, holder_user_id and holder_email. Not with a gate token.',
        ),
        false,
      ),
    }),
  },
  output: { schema: cursorListOf('event_tickets', EventTicket), problems: ['cursor_invalid', 'gate_not_allowed'] },
  effects: {
    access: [eventsAccess.readEvent, gatesAccess.readOfflinePage, gatesAccess.readAddresses],
    secrets: ['cursors'],
  },
  // A page of 2,500 is read with a few Queries.
  runtime: { timeoutSeconds: 20, concurrency: 20 },
});
