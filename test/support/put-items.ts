import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/data/table/table.ts';

const itemsPerBatch = 25;

/** Writes items directly in batches: thousands of transactions would take minutes. */
export async function putItems(table: Table, items: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, index) =>
    items.slice(index * itemsPerBatch, (index + 1) * itemsPerBatch),
  ).values();
  const write = async (): Promise<void> => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
}
