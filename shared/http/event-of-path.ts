import { readEvent } from '../data/events-read.ts';
import type { Table } from '../data/table.ts';
import type { EventRecord } from '../domain/event-record.ts';
import { parseId } from '../domain/ids.ts';
import { notFound } from './problem.ts';

/** The event that a path names. Whatever names none, also another organisation's event, is the same 404. */
export async function eventOfPath(table: Table, orgId: string, eventId: string): Promise<EventRecord> {
  const id = parseId(eventId);
  const event = id === undefined ? undefined : await readEvent(table, orgId, id);
  if (event === undefined) throw notFound('event');
  return event;
}
