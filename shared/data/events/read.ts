import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { EventRecord } from '../../domain/events/event.ts';
import { batchGet } from '../table/batch-get.ts';
import { eventKey } from '../table/keys.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { parseEvent } from './row.ts';

export async function readEvent(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: ReadOptions = {},
): Promise<EventRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: eventKey(orgId, eventId), ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : parseEvent(Item);
}

/** Returns several events by their ids. Ids without an event are left out. */
export async function readEvents(
  table: Table,
  orgId: string,
  eventIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, EventRecord>> {
  const keys = [...eventIds].map((eventId) => eventKey(orgId, eventId));
  const events = (await batchGet(table, keys, { consistent: false })).map(parseEvent);
  return new Map(events.map((event) => [event.eventId, event]));
}
