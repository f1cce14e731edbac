import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from './keys.ts';
import { retryUntil } from './retry.ts';
import type { ReadOptions, Table } from './table.ts';

type Item = Record<string, unknown>;

const maxKeys = 100;

/** Returns those items of the given keys that exist, in no particular order. */
export async function batchGet(
  table: Table,
  keys: readonly ItemKey[],
  { consistent }: Required<ReadOptions>,
): Promise<Item[]> {
  const parts = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, index) =>
    keys.slice(index * maxKeys, (index + 1) * maxKeys),
  );
  return (await Promise.all(parts.map((part) => getPart(table, part, consistent)))).flat();
}

/** DynamoDB returns as many items as it can and lists the keys that it did not process. */
async function getPart(table: Table, keys: readonly ItemKey[], consistent: boolean): Promise<Item[]> {
  const found: Item[] = [];
  let left: readonly Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  return retryUntil('DynamoDB did not return all requested items after several attempts.', async () => {
    const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: [...left], ConsistentRead: consistent } } }),
    );
    found.push(...(Responses[table.name] ?? []));
    left = UnprocessedKeys[table.name]?.Keys ?? [];
    return left.length === 0 ? found : undefined;
  });
}
