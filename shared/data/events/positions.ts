import {
  deletedStatus,
  type EventRecord,
  type EventStatus,
  eventSortKey,
  isInCatalogue,
} from '../../domain/events/event.ts';
import type { SortKeys } from '../positions/change.ts';

/** The list of all events that are not deleted, or of those of a status. */
export const eventList = (statusId: EventStatus | undefined): string =>
  statusId === undefined ? 'listed' : `status${statusId}`;

/** The list of the events that everyone may know of. */
export const catalogue = 'catalogue';

/** The positions of an event: by start among the events of its status, among all unless it is deleted, and in the catalogue. */
export function eventPositions(event: EventRecord): SortKeys {
  const sortKey = eventSortKey(event);
  return {
    ...(event.statusId !== deletedStatus && { [eventList(undefined)]: sortKey }),
    [eventList(event.statusId)]: sortKey,
    ...(isInCatalogue(event) && { [catalogue]: sortKey }),
  };
}
