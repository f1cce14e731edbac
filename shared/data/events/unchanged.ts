import type { EventRecord } from '../../domain/events/event.ts';
import { eventKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The condition that an event was neither cancelled nor moved since it was read. Its other fields may change. */
export function notCancelledOrMoved(
  table: Table,
  orgId: string,
  { eventId, startUnix }: Pick<EventRecord, 'eventId' | 'startUnix'>,
): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: eventKey(orgId, eventId),
      ConditionExpression: 'attribute_not_exists(cancelledUnix) AND startUnix = :start',
      ExpressionAttributeValues: { ':start': startUnix },
    },
  };
}
