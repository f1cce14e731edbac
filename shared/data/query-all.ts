import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

/** Every item of a range that is known to be small; the table ends an answer at a megabyte. */
export async function queryAll(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...query,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}
