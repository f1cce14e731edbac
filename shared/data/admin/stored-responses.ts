import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../table/failures.ts';
import { type ItemKey, idempotencyPartitions } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { retryConflicts } from '../table/retry-conflicts.ts';
import type { Table } from '../table/table.ts';

const Receipt = v.object({ pk: v.string(), sk: v.string(), answer: v.optional(v.string()) });

interface StoredResponse {
  readonly key: ItemKey;
  /** The JSON text that a repeated request gets. */
  readonly response: string;
}

/** Every response that is stored for an Idempotency-Key of the organisation, also those that have expired. */
export async function* everyStoredResponse(table: Table, orgId: string): AsyncGenerator<StoredResponse> {
  for (const partition of idempotencyPartitions(orgId)) {
    const pages = queryPages(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
      ConsistentRead: true,
    });
    for await (const items of pages) {
      for (const item of items) {
        const { pk, sk, answer } = v.parse(Receipt, item);
        if (answer !== undefined) yield { key: { pk, sk }, response: answer };
      }
    }
  }
}

/** Replaces a stored response. Returns false if it is not the same any more: its key expired and was used again. */
export async function replaceStoredResponse(
  table: Table,
  key: ItemKey,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  try {
    await retryConflicts(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: key,
          UpdateExpression: 'SET answer = :to',
          ConditionExpression: 'answer = :from',
          ExpressionAttributeValues: { ':from': from, ':to': to },
        }),
      ),
    );
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}
