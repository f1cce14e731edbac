import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { pingKey } from './keys.ts';
import type { Table } from './table.ts';

/** Reads an item that never exists: half a read unit to know that the table is there and may be read. */
export async function ping(table: Table): Promise<void> {
  await table.client.send(new GetCommand({ TableName: table.name, Key: pingKey() }));
}
