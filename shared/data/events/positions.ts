import { deletedStatus, type EventRecord, type EventStatus, eventSortKey } from '../../domain/events/event.ts';
import type { SortKeys } from '../positions/change.ts';

/** The list of all events that are not deleted, or of those of a status. */
export const eventList = (statusId: EventStatus | undefined): string =>
  statusId === undefined ? 'listed' : `status${statusId}`;

/** The positions of an event: by start among the events of its status, and among all unless it is deleted. */
export function eventPositions(event: EventRecord): SortKeys {
  const sortKey = eventSortKey(event);
  return {
    ...(event.statusId !== deletedStatus && { [eventList(undefined)]: sortKey }),
    [eventList(event.statusId)]: sortKey,
  };
}
