import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { VenueRecord } from '../../domain/events/event.ts';
import { venueItem } from '../events/row.ts';
import { changeEvent } from '../events/save.ts';
import { readVenue, readVenues } from '../events/venues.ts';
import type { Table } from '../table/table.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { everyEvent } from './read-all.ts';

export async function saveVenue(
  table: Table,
  orgId: string,
  venue: VenueRecord,
  tried = new TriedWrites(),
): Promise<'created' | 'updated' | 'unchanged'> {
  const before = await readVenue(table, orgId, venue.venueId);
  if (before?.name === venue.name) return 'unchanged';
  const kind = before === undefined ? 'created' : 'updated';
  const put = new PutCommand({ TableName: table.name, Item: venueItem(orgId, { ...before, ...venue }) });
  await tried.send(kind, () => table.client.send(put));
  return kind;
}

/**
 * Updates the venue name in every event. It checks all events, so it also completes an earlier update that was interrupted
 * after a venue was renamed.
 */
export async function updateVenueNames(table: Table, orgId: string): Promise<void> {
  const names = new Map((await readVenues(table, orgId)).map(({ venueId, name }) => [venueId, name]));
  for await (const { eventId, venueId, venueName } of everyEvent(table, orgId)) {
    const name = venueId === null ? undefined : names.get(venueId);
    if (name === undefined || name === venueName) continue;
    await changeEvent(table, orgId, eventId, (event) =>
      event.venueId === venueId ? { ...event, venueName: name } : event,
    );
  }
}
