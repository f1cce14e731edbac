import { listSeatBlocks as list } from '../../../shared/data/seats/blocks.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { seatBlockResource } from '../../../shared/mappers/seat-block.ts';
import { listSeatBlocks } from '../../../shared/operations/seat-maps/list-seat-blocks.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listSeatBlocks> = async ({ params, query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const { eventId } = await readEventFromPath(table, orgId, params.event_id);
  const identity = { orgId, operation: listSeatBlocks.id, parameters: { eventId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const { blocks, next } = await list(table, { orgId, eventId, after, limit: query.limit });
  return {
    object: 'seat_blocks',
    url: `${baseUrl}/v1/events/${eventId}/seat_blocks`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: blocks.map(seatBlockResource),
  };
};

export const handler = pipeline(listSeatBlocks, handle);
