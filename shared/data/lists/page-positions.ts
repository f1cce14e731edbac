import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isTableUnavailable } from '../table/failures.ts';
import { pagePositionKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * Where a page of a list begins is remembered when the page before it is served, so that every page of a walk costs the
 * same and no row is skipped or repeated because rows before it came or went. A page nobody led to is reached from the
 * nearest remembered one before it.
 *
 * What is remembered is of one walk. It is soon forgotten, and each key has its own: pages that are asked for in any order, or at
 * the same time, must not begin where those of another walk did before others came or went.
 */
export interface PagePosition {
  readonly page: number;
  /** The place after which the page begins; undefined for the first page. */
  readonly after: string | undefined;
}

const lifetimeSeconds = 60;

const PagePositionItem = v.object({ page: v.number(), after: v.string(), ttl: v.number() });
const PagePositionKey = v.object({ pk: v.string(), sk: v.string(), after: v.string() });

/** The nearest remembered page that is not after the wanted one. */
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
  // Expired items may linger, and what they point at may be long gone.
  return found === undefined || found.ttl <= nowUnix ? first : found;
}

/** A page that was read is worth having also when the table is too busy to remember where the next one begins. */
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
 * Forgets the pages that begin after somebody: a place may hold the name that it stands at. Whoever is in the middle of a
 * walk goes on from the nearest page that is left. There are as many as pages were asked for lately.
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

/** Pages belong together when they are of the same list, with the same filters and the same size. */
export interface ListIdentity {
  readonly orgId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Who goes from page to page: the key. A cursor says itself where it stands, and is anybody's in the organisation. */
  readonly pageOwner?: string | undefined;
}

/** The same text for the same list, whatever the order in which its parameters came. */
export function canonicalList({ operation, parameters }: ListIdentity): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return JSON.stringify([operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function listName(list: ListIdentity): string {
  const name = JSON.stringify([canonicalList(list), list.pageOwner ?? null]);
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
