import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { allOrders, parseOrderPosition } from '../../orders/positions.ts';
import { keysInOrder } from '../../positions/read.ts';
import { batchGet } from '../../table/batch-get.ts';
import { type ItemKey, orderKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

export type Item = ItemKey & Readonly<Record<string, unknown>>;

export interface RowsPage {
  readonly rows: readonly Item[];
  /** The position of the last row; empty if the organisation is complete. */
  readonly next: string;
}

/** One page is read, migrated and stored before the next one. */
const rowsPerPage = 50;

interface Partition {
  readonly pk: string;
  /** Only rows whose sort keys begin with it. */
  readonly prefix?: string;
  readonly after: string;
}

/** Rows of a partition after a sort key. */
export async function readPartition(table: Table, { pk, prefix = '', after }: Partition): Promise<RowsPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
      ConsistentRead: true,
      Limit: rowsPerPage,
      ...(after !== '' && { ExclusiveStartKey: { pk, sk: after } }),
    }),
  );
  const rows = Items.map((item): Item => ({ ...item, pk, sk: String(item.sk) }));
  return { rows, next: LastEvaluatedKey === undefined ? '' : (rows.at(-1)?.sk ?? '') };
}

/** Orders of all events after a position in the list of all orders. Each event has a partition of its own. */
export async function readOrdersPage(table: Table, orgId: string, after: string): Promise<RowsPage> {
  const from = after === '' ? undefined : `${after}\u0000`;
  const list = { orgId, resource: 'orders', list: allOrders, descending: false, from } as const;
  for await (const keys of keysInOrder(table, list, { first: rowsPerPage })) {
    const positions = keys.map(parseOrderPosition);
    const items = await batchGet(
      table,
      positions.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey)),
      { consistent: true },
    );
    const rows = items.map((item): Item => ({ ...item, pk: String(item.pk), sk: String(item.sk) }));
    return { rows, next: keys.length < rowsPerPage ? '' : (keys.at(-1) ?? '') };
  }
  return { rows: [], next: '' };
}
