import type { EventRecord } from '../../domain/events/event.ts';
import type { EventPhases } from '../../domain/phases/phase.ts';
import { parseEvent } from '../events/row.ts';
import { phasesKey, pricedEventKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { parsePhases, phasesItem } from './row.ts';

export interface EventWithPhases {
  readonly event: EventRecord;
  /** Undefined if the event never had any. */
  readonly phases: EventPhases | undefined;
}

/** Returns an event with its phases; undefined if it does not exist. The two rows are neighbours: it costs what the event costs. */
export async function readEventWithPhases(
  table: Table,
  orgId: string,
  eventId: number,
): Promise<EventWithPhases | undefined> {
  const { pk, sk: first } = pricedEventKey(orgId, eventId);
  const { sk: last } = phasesKey(orgId, eventId);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
    ConsistentRead: true,
  });
  const event = items.find(({ sk }) => sk === first);
  const phases = items.find(({ sk }) => sk === last);
  return event && { event: parseEvent(event), phases: phases && parsePhases(phases) };
}

/** Writes the phases of an event. False if somebody else has changed them meanwhile. */
export async function savePhases(
  table: Table,
  orgId: string,
  { before, after }: { readonly before: EventPhases | undefined; readonly after: EventPhases },
  sideEffects: readonly TransactItem[] = [],
): Promise<boolean> {
  const put = { Put: { TableName: table.name, Item: phasesItem(orgId, after), ...unchangedSince(before) } };
  return (await transact(table, [put], sideEffects)).length === 0;
}
