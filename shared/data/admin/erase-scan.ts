import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ScanRecord } from '../../domain/scans/scan.ts';
import { scanKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Erases the personal data from a scan. The scan itself stays. */
export async function eraseScan(
  table: Table,
  orgId: string,
  { eventId, sortKey, ticketName, emailAddress }: ScanRecord,
): Promise<'erased' | 'unchanged'> {
  if (ticketName === null && emailAddress === null) return 'unchanged';
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: scanKey(orgId, eventId, sortKey),
      UpdateExpression: 'REMOVE #name, email',
      ExpressionAttributeNames: { '#name': 'name' },
    }),
  );
  return 'erased';
}
