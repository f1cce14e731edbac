import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { readTable } from '../../tools/restore/table-source.ts';
import { collect } from '../support/collect.ts';
import { createLocalTable, startedDynamoDbLocal } from '../support/dynamodb-local.ts';

const Stored = v.record(
  v.string(),
  v.custom<AttributeValue>((value) => typeof value === 'object'),
);

async function exportedItems({ name }: Pick<Table, 'name'>): Promise<Record<string, unknown>[]> {
  const pages = await collect(readTable(await startedDynamoDbLocal(), name));
  return pages.flat().map((item) => unmarshall(v.parse(Stored, item)));
}

const key = (pk: string) => ({ pk, sk: 'account' });

describe('export of the local table', () => {
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
    await expect(exportedItems({ name: 'no-such-table' })).rejects.toThrow('non-existent table');
  });
});
