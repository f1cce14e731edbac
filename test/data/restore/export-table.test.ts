import { text } from 'node:stream/consumers';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../local/cloud/dynamodb/export-table.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createLocalTable, startedDynamoDbLocal } from '../../support/dynamodb-local.ts';

async function exportedItems({ name }: Table): Promise<Record<string, unknown>[]> {
  const lines = (await text(await openExport(await startedDynamoDbLocal(), name))).split('\n').slice(0, -1);
  return lines.map((line) => unmarshall(JSON.parse(line).Item));
}

const key = (pk: string) => ({ pk, sk: 'account' });

describe('export of the local table', () => {
  it('an export during transactions contains every transaction completely or not at all', async () => {
    const table = await createLocalTable();
    const add = (pk: string, amount: number) => ({
      Update: {
        TableName: table.name,
        Key: key(pk),
        UpdateExpression: 'ADD amount :amount',
        ExpressionAttributeValues: { ':amount': amount },
      },
    });
    const transfer = () =>
      table.client.send(new TransactWriteCommand({ TransactItems: [add('from', -1), add('to', 1)] }));
    let isDone = false;
    const transfers = (async () => {
      for (let count = 0; count < 100; count += 1) await transfer();
      isDone = true;
    })();
    const seen = new Set<unknown>();
    while (!isDone) {
      const items = await exportedItems(table);
      expect(items.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
      seen.add(items.find(({ pk }) => pk === 'to')?.amount);
    }
    await transfers;
    expect(seen.size).toBeGreaterThan(2);
  });

  it('an export has bytes, sets and nested values as they were written, and a table that does not exist is refused', async () => {
    const table = await createLocalTable();
    const item = {
      ...key('kinds'),
      bytes: new Uint8Array([0, 255, 10]),
      names: new Set(['a', 'ü\n"']),
      nested: { list: [1.5, null, true, { bytes: new Uint8Array([1]) }] },
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    const [exported] = await exportedItems(table);
    const inText = (value: unknown) =>
      JSON.stringify(value, (_name, part) => {
        if (part instanceof Uint8Array) return Buffer.from(part).toString('base64');
        return part instanceof Set ? [...part] : part;
      });
    // In JSON, bytes are base64.
    expect(JSON.parse(inText(exported))).toEqual(JSON.parse(inText(item)));
    await expect(openExport(await startedDynamoDbLocal(), 'no-such-table')).rejects.toThrow(
      'There is no table no-such-table.',
    );
  });
});
