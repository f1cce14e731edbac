import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ScanRecord } from '../domain/scan-record.ts';
import { scanKey, scansPartition } from './keys.ts';
import { parseScan } from './scans-row.ts';
import type { Table } from './table.ts';

/** Every scan of an event, a Query's worth at a time. */
export async function* everyScan(table: Table, orgId: string, eventId: number): AsyncGenerator<readonly ScanRecord[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': scansPartition(orgId, eventId) },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield Items.map(parseScan);
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

/** Takes out of a scan whom it let in or refused; that somebody was read stays. */
export async function eraseScanned(
  table: Table,
  orgId: string,
  { eventId, place, ticketName, emailAddress }: ScanRecord,
): Promise<'erased' | 'unchanged'> {
  if (ticketName === null && emailAddress === null) return 'unchanged';
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: scanKey(orgId, eventId, place),
      UpdateExpression: 'REMOVE #name, email',
      ExpressionAttributeNames: { '#name': 'name' },
    }),
  );
  return 'erased';
}
