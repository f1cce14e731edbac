import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../table/table.ts';

interface IndexRange {
  /** The partition of index by1. */
  readonly partition: string;
  /** The sort key of the last item of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface IndexPage {
  readonly items: readonly Record<string, unknown>[];
  readonly hasMore: boolean;
}

/** Lower than every sort key that begins with a letter or a digit. */
const beforeAll = ' ';

/** Reads a page of a partition of index by1, in the order of its sort keys. A change shows within milliseconds as a rule. */
export async function readIndexPage(
  table: Table,
  { partition, after = beforeAll, limit }: IndexRange,
): Promise<IndexPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'by1',
      KeyConditionExpression: 'by1pk = :pk AND by1sk > :after',
      ExpressionAttributeValues: { ':pk': partition, ':after': after },
      // One item more than the page shows whether another page follows.
      Limit: limit + 1,
    }),
  );
  // Large items may reach the size limit of a Query before the page is full.
  return { items: Items.slice(0, limit), hasMore: Items.length > limit || LastEvaluatedKey !== undefined };
}
