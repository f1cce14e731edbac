import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../table/table.ts';
import type { RegisteredDevice } from '../wallets/devices.ts';

/** Lets a registration end at this time, unless it ends before or the device has registered again with another token. */
export async function endRegistration(
  table: Table,
  { pk, sk, push }: RegisteredDevice,
  endUnix: number,
): Promise<'ending' | 'unchanged'> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        UpdateExpression: 'SET #ttl = :end',
        ConditionExpression: 'push = :push AND #ttl > :end',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':push': push, ':end': endUnix },
      }),
    );
    return 'ending';
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return 'unchanged';
  }
}
