import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { EventRecord } from '../domain/event-record.ts';
import { parseEvent } from './events-row.ts';
import { eventKey } from './keys.ts';
import type { Table } from './table.ts';

/** All events of an organisation, deleted ones too, as many at a time as the table gives. For tools, not for requests. */
export async function* everyEvent(table: Table, orgId: string): AsyncGenerator<readonly EventRecord[]> {
  const { pk } = eventKey(orgId, 0);
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
        ExpressionAttributeValues: { ':pk': pk, ':events': 'E#' },
        ConsistentRead: true,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield Items.map(parseEvent);
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
