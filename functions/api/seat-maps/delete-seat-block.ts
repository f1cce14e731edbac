import { deleteSeatBlock as remove } from '../../../shared/data/seats/blocks.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { deleteSeatBlock } from '../../../shared/operations/seat-maps/delete-seat-block.ts';

export const handle: Handle<typeof deleteSeatBlock> = async ({ params }, { caller, table }) => {
  const ref = { eventId: parseEventId(params.event_id), blockId: parseId(params.seat_block_id) ?? 0 };
  const block = await remove(table, caller.orgId, ref);
  if (block === undefined) throw notFound('seat block');
  return { seat_block_id: block.blockId, deleted: true };
};

export const handler = pipeline(deleteSeatBlock, handle);
