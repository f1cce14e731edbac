import type { EventRecord } from '../../domain/events/event.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { eventKey } from '../table/keys.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { parseEvent } from './row.ts';

export async function readEvent(
  table: Table,
  orgId: string,
  eventId: number,
  options: ReadOptions = {},
): Promise<EventRecord | undefined> {
  const item = await getItem(table, eventKey(orgId, eventId), options);
  return item === undefined ? undefined : parseEvent(item);
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
