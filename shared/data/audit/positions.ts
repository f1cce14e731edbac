import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { memberWordTrees } from '../members/words.ts';
import { allOrders, changedOrders, orderPositions } from '../orders/positions.ts';
import { checkedKeys, positionsVersion, presentKeys } from '../positions/read.ts';
import { Contended } from '../table/failures.ts';
import { positionedResources, positionNodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { auditMemberWords } from './member-words.ts';
import { keysOfOrders, orderIdAtKey } from './order-keys.ts';
import { type PositionedList, positionedLists } from './positioned-lists.ts';
import { unlessUnreadable } from './unreadable.ts';

/** Where the audit of the position trees is: after a sort key of a list. */
export const PositionedPart = v.object({
  part: v.literal('positions'),
  resource: v.picklist(positionedResources),
  list: v.string(),
  after: v.string(),
});
export type PositionedPart = v.InferOutput<typeof PositionedPart>;

const startOf = ({ resource, list }: PositionedList): PositionedPart => ({
  part: 'positions',
  resource,
  list,
  after: '',
});
const [firstList] = positionedLists;
export const positionsStart = firstList && startOf(firstList);

export interface AuditedPositions {
  readonly rows: number;
  /** Undefined if rows or trees changed during the look. */
  readonly findings: readonly Finding[] | undefined;
  readonly next: PositionedPart | undefined;
}

const rowsPerStep = 500;

/**
 * Compares some rows of a list with the same part of its position tree and the changes that the tree does not contain yet. Each
 * step ends after the key that the one before it ended at, or goes on to the next list.
 */
export async function auditPositions(table: Table, orgId: string, at: PositionedPart): Promise<AuditedPositions> {
  const { resource } = at;
  const index = positionedLists.findIndex((one) => one.resource === resource && one.list === at.list);
  const list = positionedLists[index];
  const nextList = listAfter(at);
  // Only another release knows the list.
  if (list === undefined) return { rows: 0, findings: [], next: nextList };
  const before = await positionsVersion(table, { orgId, resource });
  const part = await unlessContended(() => auditPart(table, orgId, list, at.after));
  if (part === undefined) return { rows: 0, findings: undefined, next: nextList };
  const { rows, problems, unread, last } = part;
  const isSame = before === (await positionsVersion(table, { orgId, resource }));
  const next = last === undefined ? nextList : { ...at, after: last };
  return { rows, findings: isSame ? [...unread, ...findingsOf(orgId, list, problems)] : undefined, next };
}

/** The list that follows the one of a part; undefined after the last one. */
export function listAfter({ resource, list }: PositionedPart): PositionedPart | undefined {
  const index = positionedLists.findIndex((one) => one.resource === resource && one.list === list);
  const following = positionedLists[index + 1];
  return following && startOf(following);
}

function findingsOf(orgId: string, { resource, list }: PositionedList, problems: readonly string[]): Finding[] {
  const row = nameRow(positionNodeKey(orgId, resource, list, 'root'));
  return problems.map((problem) => ({ check: 'position-trees', row, problem }));
}

interface AuditedPart {
  readonly rows: number;
  readonly problems: readonly string[];
  readonly unread: readonly Finding[];
  /** The last sort key of the part, which is greater than `after`; undefined at the end of the list. */
  readonly last: string | undefined;
}

/** Greater than every character of a key: a sort key with it follows the keys that begin with the sort key. */
const lastCharacter = '\u{10ffff}';

async function auditPart(table: Table, orgId: string, list: PositionedList, after: string): Promise<AuditedPart> {
  const { rows: listed } = list;
  const from = after === '' ? undefined : `${after}${lastCharacter}`;
  const tree = { orgId, resource: list.resource, list: list.list, descending: false, from };
  if (list.resource === memberWordTrees && list.list === 'words')
    return { unread: [], ...(await auditMemberWords(table, orgId, after)) };
  if (listed === undefined) return auditOrderKeys(table, tree);
  const { items, last } = await readRows(table, { ...listed, partition: listed.partitionOf(orgId) }, after);
  const where = `${items.length} rows of the ${list.resource} of ${orgId} in the order ${list.list}`;
  const read = items.map((item) =>
    unlessUnreadable<{ readonly key?: string | undefined; readonly unread?: Finding }>(
      where,
      async () => ({ key: listed.positionsOf(item)[list.list] }),
      (unread) => ({ unread }),
    ),
  );
  const rows = await Promise.all(read);
  const unread = rows.flatMap((row) => row.unread ?? []);
  // Their keys in the tree would look like those of no row.
  if (unread.length > 0) return { rows: items.length, problems: [], unread, last };
  const expected = rows.flatMap(({ key }) => key ?? []);
  const { keys, problems } = await checkedKeys(table, { ...tree, to: last && `${last}${lastCharacter}` });
  return { rows: items.length, problems: [...differences(keys, expected, idAt), ...problems], unread, last };
}

/** Each key of the tree is compared with its order. The audit of the events looks for orders without a key. */
async function auditOrderKeys(table: Table, tree: Parameters<typeof checkedKeys>[1]): Promise<AuditedPart> {
  const { keys, problems } = await checkedKeys(table, tree, rowsPerStep);
  const expected = await keysOfOrders(table, tree, keys);
  return {
    rows: keys.length,
    problems: [...differences(keys, expected, orderIdAtKey), ...problems],
    unread: [],
    last: keys.length < rowsPerStep ? undefined : keys.at(-1),
  };
}

/** Finds orders whose keys the position trees of orders and the waiting changes do not have. */
export async function auditOrderPositions(
  table: Table,
  orgId: string,
  orders: readonly OrderRecord[],
): Promise<readonly Finding[]> {
  const findings = [allOrders, changedOrders].map(async (list) => {
    const keys = orders.flatMap((order) => orderPositions(order)[list] ?? []);
    if (keys.length === 0) return [];
    const tree = { orgId, resource: 'orders', list } as const;
    const present = await unlessContended(() => presentKeys(table, tree, keys));
    // A later round compares them.
    return present === undefined ? [] : findingsOf(orgId, tree, differences([...present], keys, orderIdAtKey));
  });
  return (await Promise.all(findings)).flat();
}

/** Undefined if the trees change each time that they are read. */
async function unlessContended<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Contended) return undefined;
    throw error;
  }
}

interface RowRange {
  readonly partition: string;
  readonly index?: string;
}

async function readRows(table: Table, { partition, index }: RowRange, after: string) {
  const [pk, sk] = index === undefined ? ['pk', 'sk'] : [`${index}pk`, `${index}sk`];
  const { Items: items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(index !== undefined && { IndexName: index }),
      // No sort key is empty, and DynamoDB accepts no empty value for one.
      KeyConditionExpression: `${pk} = :pk${after === '' ? '' : ` AND ${sk} > :after`}`,
      ExpressionAttributeValues: { ':pk': partition, ...(after !== '' && { ':after': after }) },
      Limit: rowsPerStep,
    }),
  );
  return { items, last: LastEvaluatedKey === undefined ? undefined : String(items.at(-1)?.[sk]) };
}

function differences(
  stored: readonly string[],
  expected: readonly string[],
  nameOf: (key: string) => string,
): readonly string[] {
  const [inTree, inRows] = [new Set(stored), new Set(expected)];
  const missing = expected.filter((key) => !inTree.has(key));
  const extra = stored.filter((key) => !inRows.has(key));
  const first = ([key = '']: readonly string[]): string => nameOf(key);
  const parts = [
    ...(missing.length === 0 ? [] : [`${missing.length} rows are missing, the first is ${first(missing)}`]),
    ...(extra.length === 0 ? [] : [`${extra.length} keys belong to no row, the first is of ${first(extra)}`]),
  ];
  return parts.length === 0 ? [] : [`The tree differs from the list: ${parts.join('; ')}.`];
}

/** The id in a key. The rest may be a name, which the log must not contain. */
const idAt = (key: string): string => /\d{16}(?=$|\|)/.exec(key)?.[0] ?? '';
