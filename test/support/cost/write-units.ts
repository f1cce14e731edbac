import { GetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { projectedItem } from '../../../local/cloud/dynamodb/model/projection.ts';
import type { ItemKey } from '../../../shared/data/table/keys.ts';
import { tableSchema } from '../../../shared/data/table/schema.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { faultyTable } from '../faults/faulty-table.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** The size of an item for DynamoDB: names and values, including the overhead of lists and maps. */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).replace('.', '').length / 2) + 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + valueBytes(each) + 1, 3);
  if (typeof value === 'object' && value !== null) return 3 + itemBytes({ ...value }) + Object.keys(value).length;
  return 1;
}

const kilobytes = (item: Readonly<Record<string, unknown>>): number => Math.ceil(itemBytes(item) / 1024);

/**
 * The cost of the last transaction through this table. DynamoDB Local counts transactions wrongly, so it is computed as
 * AWS documents: two units for each KB of a written item, and one for each KB in each of its indexes.
 */
export function meteredTable(table: Table): { table: Table; lastUnits(): Promise<number>; lastItems(): number } {
  let keys: ItemKey[] = [];
  const weighed = faultyTable(table, (send, _attempt, items) => {
    keys = (items as TransactItems).map(({ Put, Update }) => {
      const { pk, sk } = Put?.Item ?? Update?.Key ?? {};
      return { pk: String(pk), sk: String(sk) };
    });
    return send();
  });
  return {
    table: weighed,
    lastItems: () => keys.length,
    async lastUnits() {
      const items = await Promise.all(
        keys.map(async (Key) => (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item ?? {}),
      );
      return items.reduce((sum, item) => sum + 2 * kilobytes(item) + indexUnits(item), 0);
    },
  };
}

function indexUnits(item: Readonly<Record<string, unknown>>): number {
  return tableSchema.indexes
    .filter(({ partitionKey }) => partitionKey in item)
    .reduce((sum, index) => sum + kilobytes(projectedItem(tableSchema, index, item)), 0);
}
