import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isTableUnavailable } from '../table/failures.ts';
import { pagePositionKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * The start of a page. It is remembered when the page before it is served, so that every page of a list costs the same, and
 * inserted or removed rows do not cause a client to skip or repeat others. A page whose start is not remembered is reached
 * from the nearest remembered page before it.
 *
 * Positions belong to one pass through the list: they expire quickly, and each API key has its own. A client that starts
 * again, or another client that reads the same list at the same time, must not continue from outdated positions.
 */
export interface PagePosition {
  readonly page: number;
  /** The sort key after which the page begins; undefined for the first page. */
  readonly after: string | undefined;
}

const lifetimeSeconds = 60;

const PagePositionItem = v.object({ page: v.number(), after: v.string(), ttl: v.number() });
const PagePositionKey = v.object({ pk: v.string(), sk: v.string(), after: v.string() });

/** Returns the nearest remembered page that is not after the requested one. */
export async function nearestPagePosition(
  table: Table,
  list: ListIdentity,
  page: number,
  nowUnix: number,
): Promise<PagePosition> {
  const first: PagePosition = { page: 1, after: undefined };
  if (page === 1) return first;
  const name = listName(list);
  const lowest = pagePositionKey(list.orgId, name, 2);
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :lowest AND :wanted',
      ExpressionAttributeValues: {
        ':pk': lowest.pk,
        ':lowest': lowest.sk,
        ':wanted': pagePositionKey(list.orgId, name, page).sk,
      },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [found] = v.parse(v.array(PagePositionItem), Items);
  // DynamoDB deletes expired items late, and the rows around an expired position may have changed.
  return found === undefined || found.ttl <= nowUnix ? first : found;
}

/** Remembers the start of a page. If the table is too busy, the page that was read is returned nevertheless. */
export async function rememberPage(
  table: Table,
  list: ListIdentity,
  pagePosition: { page: number; after: string },
  nowUnix: number,
): Promise<void> {
  const sortKey = pagePositionKey(list.orgId, listName(list), pagePosition.page);
  const Item = { ...sortKey, ...pagePosition, ttl: nowUnix + lifetimeSeconds };
  try {
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  } catch (error) {
    if (!isTableUnavailable(error)) throw error;
  }
}

/**
 * Deletes the positions that contain a person's data: the sort key of a position may contain a name. A client that is between
 * two pages continues from the nearest remaining position. There are as many positions as pages were requested recently.
 */
export async function forgetPagePositions(
  table: Table,
  orgId: string,
  isForgotten: (sortKey: string) => boolean,
): Promise<void> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pagePositionKey(orgId, '', 0).pk },
        ConsistentRead: true,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    for (const { pk, sk, after } of v.parse(v.array(PagePositionKey), Items)) {
      if (isForgotten(after)) await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    }
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

/** Identifies a list: pages belong together if operation, filters and page size are the same. */
export interface ListIdentity {
  readonly orgId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The API key that reads the pages. A cursor contains its own position and is valid for every key of the organisation. */
  readonly pageOwner?: string | undefined;
}

/** Returns the same text for the same list, whatever the order of its parameters. */
export function canonicalList({ operation, parameters }: ListIdentity): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return JSON.stringify([operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function listName(list: ListIdentity): string {
  const name = JSON.stringify([canonicalList(list), list.pageOwner ?? null]);
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
