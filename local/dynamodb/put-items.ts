import * as v from 'valibot';
import type { AwsJsonClient } from '../aws-json.ts';

/** In DynamoDB's own JSON: `{ pk: { S: 'a' } }`. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Puts into a new table what it is to hold from the beginning. Items are taken as they are written, so that both go on together. */
export type FillTable = (put: (items: Iterable<StoredItem>) => Promise<void>) => Promise<void>;

const Answer = v.object({ UnprocessedItems: v.optional(v.record(v.string(), v.array(v.unknown())), {}) });

/** DynamoDB's limit for one BatchWriteItem. */
const itemsPerBatch = 25;
/** DynamoDB Local writes one item after the other; it only must not wait for the next batch. */
const concurrency = 3;

export async function putItems(dynamodb: AwsJsonClient, tableName: string, items: Iterable<StoredItem>): Promise<void> {
  const batches = batched(items);
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      let left: unknown[] = batch.map((Item) => ({ PutRequest: { Item } }));
      while (left.length > 0) {
        const answer = await dynamodb.call('BatchWriteItem', { RequestItems: { [tableName]: left } });
        left = v.parse(Answer, answer).UnprocessedItems[tableName] ?? [];
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

function* batched(items: Iterable<StoredItem>): Generator<readonly StoredItem[]> {
  let batch: StoredItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < itemsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
