import { timeOrderedIds } from '../platform/time-ordered-ids.ts';

/** Event ids sort by their millisecond of creation. The feed, the body and the header webhook-id contain the same id. */
const ids = timeOrderedIds('evt_');

export const newEventId = ids.create;
export const eventIdMs = ids.msOf;
export const eventIdFloor = ids.floor;
