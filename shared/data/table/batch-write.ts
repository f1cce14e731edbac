import { BatchWriteCommand, type BatchWriteCommandInput, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from './keys.ts';
import { retryConflicts, retryUntil } from './retry.ts';
import type { Table } from './table.ts';

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const maxRequests = 25;

/** Replaces items without a condition. Some may be written although the call fails. */
export async function batchPut(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  const [only, ...others] = items;
  // A call for a single item takes less CPU.
  if (only !== undefined && others.length === 0) {
    await retryConflicts(() => table.client.send(new PutCommand({ TableName: table.name, Item: only })));
    return;
  }
  await batchWrite(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}

/** Deletes items; it is not an error if some do not exist. Some may be deleted although the call fails. */
export async function batchDelete(table: Table, keys: readonly ItemKey[]): Promise<void> {
  await batchWrite(
    table,
    keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );
}

async function batchWrite(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(requests.length / maxRequests) }, (_, index) =>
    requests.slice(index * maxRequests, (index + 1) * maxRequests),
  );
  await Promise.all(parts.map((part) => writePart(table, part)));
}

/** DynamoDB writes as many items as it can and returns the rest. */
async function writePart(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  let left = requests;
  await retryUntil('DynamoDB did not write all items after several attempts.', async () => {
    const { UnprocessedItems = {} } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: [...left] } }),
    );
    left = UnprocessedItems[table.name] ?? [];
    return left.length === 0 ? 'written' : undefined;
  });
}
