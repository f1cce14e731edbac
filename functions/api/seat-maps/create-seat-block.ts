import { blockSeats } from '../../../shared/catalogue/seat-blocks.ts';
import { seatBlockLimits } from '../../../shared/domain/seats/seat-block.ts';
import { seatMoves } from '../../../shared/domain/seats/seat-moves.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { seatProblem } from '../../../shared/http/handlers/problems/seat-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { seatBlockResource } from '../../../shared/mappers/seat-block.ts';
import { createSeatBlock } from '../../../shared/operations/seat-maps/create-seat-block.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createSeatBlock> = async ({ params, body }, { caller, table, clock, receipt }) => {
  const eventId = parseEventId(params.event_id);
  const createdUnix = unixSeconds(clock);
  const { seats, reason, release_unix: releaseUnix } = body;
  if (releaseUnix !== null && releaseUnix <= createdUnix) {
    const message = 'The parameter release_unix must be in the future, in Unix seconds.';
    throw problem('parameter_invalid', message, { param: 'release_unix' });
  }
  const rows = seatMoves(eventId, seats).length;
  if (rows > seatBlockLimits.rows) {
    const message = `A block has seats of at most ${seatBlockLimits.rows} rows, and these are in ${rows}. Create several blocks.`;
    throw problem('parameter_invalid', message, { param: 'seats' });
  }
  const block = { eventId, seats, reason, releaseUnix, createdUnix };
  const created = await blockSeats(table, caller.orgId, block, (made) => receipt(seatBlockResource(made)));
  switch (created.outcome) {
    case 'missing':
      throw notFound('event');
    case 'refused':
      throw seatProblem(created.refusal);
    case 'created':
      return seatBlockResource(created.block);
  }
};

export const handler = pipeline(createSeatBlock, handle);
