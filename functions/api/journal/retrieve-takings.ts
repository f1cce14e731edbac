import { readTakings } from '../../../shared/data/journal/takings.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { takingsResource } from '../../../shared/mappers/takings.ts';
import { retrieveTakings } from '../../../shared/operations/journal/retrieve-takings.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

/** Entries of the last seconds may still be written before one that was read. */
const completeAfterSeconds = 10;
const longestSeconds = 48 * 3_600;

export const handle: Handle<typeof retrieveTakings> = async ({ query }, { caller, table, clock }) => {
  const { unix_start, station, operator, event_id } = query;
  const completeUnix = unixSeconds(clock) - completeAfterSeconds;
  const untilUnix = query.unix_end ?? completeUnix;
  if (untilUnix > completeUnix) {
    throw problem('parameter_invalid', 'The parameter unix_end must be at least 10 seconds ago.', {
      param: 'unix_end',
    });
  }
  if (untilUnix - unix_start > longestSeconds) {
    throw problem('parameter_invalid', 'The parameter unix_start must be at most 48 hours before unix_end.', {
      param: 'unix_start',
    });
  }
  const takings = await readTakings(table, caller.orgId, {
    sinceMs: (unix_start + 1) * 1000,
    untilMs: untilUnix * 1000,
    station,
    operator,
    // No event has the id 0, so an invalid id finds nothing.
    eventId: event_id === undefined ? undefined : (parseId(event_id) ?? 0),
  });
  return { data: takings.map(takingsResource) };
};

export const handler = pipeline(retrieveTakings, handle);
