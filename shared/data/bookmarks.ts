import { createHash } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { bookmarkKey } from './keys.ts';
import type { Table } from './table.ts';

/**
 * Where a page of a list begins is remembered when the page before it is served, so that every page of a walk costs the
 * same and no row is skipped or repeated because rows before it came or went. A page nobody led to is reached from the
 * nearest remembered one before it.
 */
export interface Bookmark {
  readonly page: number;
  /** The place after which the page begins; undefined for the first page. */
  readonly after: string | undefined;
}

const lifetimeSeconds = 3_600;

const BookmarkItem = v.object({ page: v.number(), after: v.string(), ttl: v.number() });

/** The nearest remembered page that is not after the wanted one. */
export async function nearestBookmark(
  table: Table,
  list: ListIdentity,
  page: number,
  nowUnix: number,
): Promise<Bookmark> {
  const first: Bookmark = { page: 1, after: undefined };
  if (page === 1) return first;
  const name = listName(list);
  const lowest = bookmarkKey(list.orgId, name, 2);
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :lowest AND :wanted',
      ExpressionAttributeValues: {
        ':pk': lowest.pk,
        ':lowest': lowest.sk,
        ':wanted': bookmarkKey(list.orgId, name, page).sk,
      },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [found] = v.parse(v.array(BookmarkItem), Items);
  // Expired items may linger, and what they point at may be long gone.
  return found === undefined || found.ttl <= nowUnix ? first : found;
}

export async function rememberPage(
  table: Table,
  list: ListIdentity,
  bookmark: { page: number; after: string },
  nowUnix: number,
): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...bookmarkKey(list.orgId, listName(list), bookmark.page), ...bookmark, ttl: nowUnix + lifetimeSeconds },
    }),
  );
}

/** Pages belong together when they are of the same list, with the same filters and the same size. */
export interface ListIdentity {
  readonly orgId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The same text for the same list, whatever the order in which its parameters came. */
export function canonicalList({ operation, parameters }: ListIdentity): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return JSON.stringify([operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function listName(list: ListIdentity): string {
  return createHash('sha256').update(canonicalList(list)).digest('base64url').slice(0, 22);
}
