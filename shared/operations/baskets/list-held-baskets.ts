import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { eventsAccess } from '../../data/events/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { HeldBasket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';

export const listHeldBaskets = defineOperation({
  id: 'list-held-baskets',
  resource: 'baskets',
  summary: 'List the baskets that are held for days',
  description: `Returns the baskets of the event that you keep for somebody (\`hold_until_unix\` of open-basket), those that end first come first.
A basket that was paid, cancelled or released is not listed. An empty basket belongs to no event yet. The list comes from an index, which
shows a change shortly after it is made, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/held_baskets'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: eventPath,
    query: v.strictObject({
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
          'The maximum number of baskets per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: {
    schema: cursorListOf('held_baskets', HeldBasket),
    problems: ['cursor_invalid'],
    links: [{ to: 'retrieve-basket', params: { basket_id: '$response.body#/data/0/id' } }],
  },
  effects: { access: [eventsAccess.readEvent, basketsAccess.readLongHolds], secrets: ['cursors'] },
});
