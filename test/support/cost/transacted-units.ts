import { GetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { testClientConfig } from '../table.ts';

type Item = Readonly<Record<string, unknown>>;

/** The bytes that DynamoDB charges for an item: names and values, according to its documentation. */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).replace('.', '').length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return 3 + value.reduce<number>((sum, inner) => sum + 1 + valueBytes(inner), 0);
  if (typeof value === 'object' && value !== null) return 3 + itemBytes(value as Item) + Object.keys(value).length;
  return 1;
}

/** A write of a transaction: its cost and its kind of item. */
export interface TransactedWrite {
  readonly kind: string;
  readonly bytes: number;
  readonly units: number;
}

/**
 * The same table, recording every transaction. DynamoDB Local does not report what transactions cost, so their units are
 * computed from the items afterwards: two for each kilobyte. A deleted item counts as one kilobyte.
 */
export function watchedTable(table: Table) {
  const watched = openTable(table.name, testClientConfig());
  const transactions: NonNullable<TransactWriteCommandInput['TransactItems']>[] = [];
  watched.client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as TransactWriteCommandInput;
      if (context.commandName === 'TransactWriteItemsCommand') transactions.push(input.TransactItems ?? []);
      return next(args);
    },
    { step: 'initialize', priority: 'high' },
  );
  async function writes(): Promise<readonly TransactedWrite[]> {
    const keys = transactions.flat().map(({ Put, Update, Delete }) => Put?.Item ?? Update?.Key ?? Delete?.Key ?? {});
    return Promise.all(
      keys.map(async ({ pk, sk }) => {
        const { Item = {} } = await table.client.send(new GetCommand({ TableName: table.name, Key: { pk, sk } }));
        const bytes = itemBytes(Item);
        return { kind: String(pk).split('#')[0] ?? '', bytes, units: 2 * Math.max(1, Math.ceil(bytes / 1024)) };
      }),
    );
  }
  return { watched, transactions, writes };
}
