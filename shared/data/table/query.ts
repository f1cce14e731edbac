import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>;

/** Yields what each Query of a range returns: a megabyte, or the query's limit. */
async function* queryResults(table: Table, query: Query): AsyncGenerator<QueryCommandOutput> {
  let start: Record<string, unknown> | undefined;
  do {
    const result: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...query,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield result;
    start = result.LastEvaluatedKey;
  } while (start !== undefined);
}

/** Yields every item of a range, page by page. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<Record<string, unknown>[]> {
  for await (const { Items = [] } of queryResults(table, query)) yield Items;
}

/** Returns every item of a range. Use it only for ranges that are known to be small. */
export async function queryAll(table: Table, query: Query): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of queryPages(table, query)) items.push(...page);
  return items;
}

/** Counts the items of a range, which may be too many for the memory. It takes the units that reading them takes. */
export async function countItems(table: Table, query: Omit<Query, 'Select'>): Promise<number> {
  let count = 0;
  for await (const { Count = 0 } of queryResults(table, { ...query, Select: 'COUNT' })) count += Count;
  return count;
}
