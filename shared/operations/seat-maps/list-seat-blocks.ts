import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { seatsAccess } from '../../data/seats/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { SeatBlock } from '../schemas/seat-block.ts';

export const listSeatBlocks = defineOperation({
  id: 'list-seat-blocks',
  resource: 'seat-maps',
  summary: 'List the blocked seats of an event',
  description:
    'Returns the blocks of the event in the order of their creation. A block that was deleted or released is not listed.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/seat_blocks'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    query: v.strictObject({
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 'The maximum number of blocks per page.'),
        20,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: { schema: cursorListOf('seat_blocks', SeatBlock), problems: ['cursor_invalid'] },
  effects: { access: [eventsAccess.readEvent, seatsAccess.listSeatBlocks], secrets: ['cursors'] },
});
