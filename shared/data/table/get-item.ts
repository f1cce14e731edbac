import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from './keys.ts';
import type { ReadOptions, Table } from './table.ts';

/** Reads an item by its key; undefined if it does not exist. */
export async function getItem(
  table: Table,
  { pk, sk }: ItemKey,
  { consistent = false }: ReadOptions = {},
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: consistent }),
  );
  return Item;
}
