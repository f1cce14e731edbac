import { readLongHolds } from '../../../shared/data/baskets/long-holds.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { heldBasketResource } from '../../../shared/mappers/basket.ts';
import { listHeldBaskets } from '../../../shared/operations/baskets/list-held-baskets.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listHeldBaskets> = async ({ params, query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const nowUnix = unixSeconds(clock);
  const { eventId } = await readEventFromPath(table, orgId, params.event_id);
  const identity = { orgId, operation: listHeldBaskets.id, parameters: { eventId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const { baskets, next } = await readLongHolds(table, { orgId, eventId, after, limit: query.limit, nowUnix });
  return {
    object: 'held_baskets',
    url: `${baseUrl}/v1/events/${eventId}/held_baskets`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: baskets.map((basket) => heldBasketResource(orgId, basket, nowUnix)),
  };
};

export const handler = pipeline(listHeldBaskets, handle);
