import { GetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { transactedWriteUnits } from '../../../bench/harness/transacted-units.ts';
import type { ItemKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { faultyTable } from '../faults/faulty-table.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

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
      return items.reduce((sum, item) => sum + transactedWriteUnits(item), 0);
    },
  };
}
