import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ScanRecord } from '../../domain/scans/scan.ts';
import { scanKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Takes out of a scan whom it let in or refused; that somebody was read stays. */
export async function eraseScanned(
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
