import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/data/table/table.ts';

const itemsPerBatch = 25;
const sideBySide = 8;

/** Puts items into the table as they are, many at a time. */
export async function putAll(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, index) =>
    items.slice(index * itemsPerBatch, (index + 1) * itemsPerBatch),
  ).values();
  const write = async (): Promise<void> => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, write));
}
