import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { putItems as fill } from '../../local/cloud/dynamodb/put-items.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { createLocalTable, startedDynamoDbLocal } from '../support/dynamodb-local.ts';
import { longTest } from '../support/thorough.ts';

const endpoint = await startedDynamoDbLocal();

/** Items of every type, in no order, some in two indexes and some in none, and more than one commit holds. */
const items = Array.from({ length: 1_203 }, (_, index) => ({
  pk: `A#${index % 3}`,
  sk: `é${String((index * 7) % 1_203).padStart(5, '0')}`,
  ...(index % 2 === 0 && { by1pk: `B#${index % 5}`, by1sk: 'the same of all' }),
  ...(index % 3 === 0 && { by2pk: 'C', by2sk: String(index % 11) }),
  text: `“${'x'.repeat(index % 50)}”\n\u0001`,
  number: index * -1.25,
  list: [index, null, true, { deep: ['a'] }],
  set: new Set(['b', 'a']),
}));

async function pagesOf(table: Table, index?: string, limit = 100) {
  const [pk, partitions] = index === undefined ? ['pk', ['A#0', 'A#1', 'A#2']] : [`${index}pk`, ['B#0', 'B#4', 'C']];
  const pages: unknown[] = [];
  for (const partition of partitions) {
    let start: Record<string, unknown> | undefined;
    do {
      const { Items, LastEvaluatedKey, ConsumedCapacity } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': pk ?? '' },
          ExpressionAttributeValues: { ':pk': partition },
          Limit: limit,
          ReturnConsumedCapacity: 'TOTAL',
          ...(index !== undefined && { IndexName: index }),
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      );
      pages.push({ Items, LastEvaluatedKey, units: ConsumedCapacity?.CapacityUnits });
      start = LastEvaluatedKey;
    } while (start !== undefined);
  }
  return pages;
}

longTest('bulk-filled items are found by key and in every index, like items written with PutItem', async () => {
  const [filled, put] = [await createLocalTable(), await createLocalTable()];
  await fill(
    endpoint,
    filled.name,
    items.map((item) => marshall(item)),
  );
  await putItems(put, items);
  for (const index of [undefined, 'by1', 'by2'])
    expect(await pagesOf(filled, index)).toEqual(await pagesOf(put, index));
  expect(await pagesOf(filled)).not.toEqual([]);

  // Bulk-filled items are replaced and deleted like others, also in their indexes.
  const [first] = items;
  if (first === undefined) throw new Error('There is no item.');
  for (const table of [filled, put]) {
    await putItems(table, [{ pk: first.pk, sk: first.sk, by2pk: 'C', by2sk: '5' }]);
    const { pk, sk } = items[6] ?? first;
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
  for (const index of [undefined, 'by1', 'by2'])
    expect(await pagesOf(filled, index)).toEqual(await pagesOf(put, index));
});

it('bulk fill refuses a missing table and an invalid line with the reason', async () => {
  const table = await createLocalTable();
  const many = (item: Record<string, unknown>) => Array.from({ length: 50_000 }, () => item);
  await expect(fill(endpoint, 'nowhere', many({ pk: { S: 'a' } }))).rejects.toThrow('There is no table nowhere');
  await expect(fill(endpoint, table.name, [{ pk: 'no type' }])).rejects.toThrow('rejected the items');
});
