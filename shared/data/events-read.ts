import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { EventRecord } from '../domain/event-record.ts';
import { parseEvent } from './events-row.ts';
import { eventKey } from './keys.ts';
import type { Table } from './table.ts';

/** Whoever will decide or write by what was read must see the latest; whoever only shows it pays half. */
export interface Reading {
  readonly consistent?: boolean;
}

export async function readEvent(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: Reading = {},
): Promise<EventRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: eventKey(orgId, eventId), ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : parseEvent(Item);
}
