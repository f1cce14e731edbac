import { GetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { itemBytes, writeUnitsOf } from '../../../local/cloud/dynamodb/model/item-size.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { openTestTable } from '../table.ts';

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
  const watched = openTestTable(table.name);
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
        return { kind: String(pk).split('#')[0] ?? '', bytes: itemBytes(Item), units: 2 * writeUnitsOf(Item) };
      }),
    );
  }
  return { watched, transactions, writes };
}
