import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { VenueRecord } from '../../domain/events/event.ts';
import { parseVenue, venueItem } from '../events/row.ts';
import { changeEvent } from '../events/save.ts';
import { venueKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { everyEvent } from './read-all.ts';

export async function readVenue(table: Table, orgId: string, venueId: string): Promise<VenueRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: venueKey(orgId, venueId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parseVenue(Item);
}

export async function readVenues(table: Table, orgId: string): Promise<readonly VenueRecord[]> {
  const { pk, sk } = venueKey(orgId, '');
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :venues)',
    ExpressionAttributeValues: { ':pk': pk, ':venues': sk },
    ConsistentRead: true,
  });
  return items.map(parseVenue);
}

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
