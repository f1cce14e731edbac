import type { VenueRecord } from '../../domain/events/event.ts';
import { catalogueLimits } from '../../domain/events/limits.ts';
import { getItem } from '../table/get-item.ts';
import { venueKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { parseVenue } from './row.ts';

export async function readVenue(table: Table, orgId: string, venueId: string): Promise<VenueRecord | undefined> {
  // No venue has a longer code, and the table takes no key of any length.
  if (venueId.length > catalogueLimits.code) return undefined;
  const item = await getItem(table, venueKey(orgId, venueId), { consistent: true });
  return item === undefined ? undefined : parseVenue(item);
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
