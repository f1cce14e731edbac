import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>;

/** Yields every item of a range, page by page. A page is what one Query returns: a megabyte, or the query's limit. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<Record<string, unknown>[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...query,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield Items;
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

/** Returns every item of a range. Use it only for ranges that are known to be small. */
export async function queryAll(table: Table, query: Query): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of queryPages(table, query)) items.push(...page);
  return items;
}
