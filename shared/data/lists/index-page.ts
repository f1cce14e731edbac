import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../table/table.ts';

interface IndexRange {
  /** The partition of an index, by default by1, or of the table itself. */
  readonly partition: string;
  /** The sort key of the last item of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly index?: 'by1' | 'by2' | 'by3' | 'none';
}

interface IndexPage {
  readonly items: readonly Record<string, unknown>[];
  readonly hasMore: boolean;
}

/** Lower than every sort key that begins with a letter or a digit. */
const beforeAll = ' ';

/** Reads a page of a partition, in the order of its sort keys. In an index, a change shows within milliseconds as a rule. */
export async function readIndexPage(
  table: Table,
  { partition, after = beforeAll, limit, index = 'by1' }: IndexRange,
): Promise<IndexPage> {
  const [pk, sk] = index === 'none' ? ['pk', 'sk'] : [`${index}pk`, `${index}sk`];
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(index === 'none' ? { ConsistentRead: true } : { IndexName: index }),
      KeyConditionExpression: `${pk} = :pk AND ${sk} > :after`,
      ExpressionAttributeValues: { ':pk': partition, ':after': after },
      // One item more than the page shows whether another page follows.
      Limit: limit + 1,
    }),
  );
  // Large items may reach the size limit of a Query before the page is full.
  return { items: Items.slice(0, limit), hasMore: Items.length > limit || LastEvaluatedKey !== undefined };
}
