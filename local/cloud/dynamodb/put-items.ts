import * as v from 'valibot';
import type { AwsJsonClient } from '../http/aws-json-client.ts';

/** In DynamoDB's own JSON: `{ pk: { S: 'a' } }`. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Fills a new table with its initial items. Items are produced while others are written. */
export type FillTable = (put: (items: Iterable<StoredItem>) => Promise<void>) => Promise<void>;

const itemsPerBatch = 25;
/** DynamoDB Local writes one item at a time, and reads the next requests meanwhile. */
const concurrency = 4;

const Response = v.object({ UnprocessedItems: v.optional(v.record(v.string(), v.array(v.unknown())), {}) });

export async function putItems(dynamodb: AwsJsonClient, tableName: string, items: Iterable<StoredItem>): Promise<void> {
  const batches = batchesOf(items);
  const writeBatches = async (): Promise<void> => {
    for (const batch of batches) {
      let requests: Record<string, readonly unknown[]> = {
        [tableName]: batch.map((Item) => ({ PutRequest: { Item } })),
      };
      while (Object.keys(requests).length > 0) {
        const response = await dynamodb.call('BatchWriteItem', { RequestItems: requests });
        requests = v.parse(Response, response).UnprocessedItems;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, writeBatches));
}

function* batchesOf(items: Iterable<StoredItem>): Generator<StoredItem[]> {
  let batch: StoredItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < itemsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
