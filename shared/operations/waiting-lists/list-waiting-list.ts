import * as v from 'valibot';
import { authAccess } from '../../data/auth/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { waitingListAccess } from '../../data/waiting-list/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { ListedWaitingEntry } from '../schemas/waiting-entry.ts';

export const listWaitingList = defineOperation({
  id: 'list-waiting-list',
  resource: 'waiting-lists',
  summary: 'List the waiting list of an event',
  description: `Returns those who joined the waiting lists of the event, in that order, for all its prices. Those that are \`unconfirmed\` have the
\`confirm_token\` for your mail, and do not wait yet. They and entries that have ended stay for 30 days. Fetch
the token of an offered basket with retrieve-basket (\`basket_id\`). The list comes from an index, which shows a change shortly after it is made, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/waiting_list'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: eventPath,
    query: v.strictObject({
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
          'The maximum number of entries per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: {
    schema: cursorListOf('waiting_list', ListedWaitingEntry),
    problems: ['cursor_invalid'],
    links: [{ to: 'retrieve-basket', params: { basket_id: '$response.body#/data/0/basket_id' } }],
  },
  effects: {
    access: [
      pricesAccess.readPricedEvent,
      authAccess.readBasketKey,
      waitingListAccess.listEntries,
      waitingListAccess.readOfferedBaskets,
    ],
    secrets: ['cursors'],
  },
});
