import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoStore, openIndex } from '../../examples/mailer/store/dynamo-store.ts';
import { FileStore } from '../../examples/mailer/store/file-store.ts';
import type { Store } from '../../examples/mailer/store/store.ts';
import { startedDynamoDbLocal } from '../support/dynamodb-local.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-stores-'));
const stops: (() => unknown)[] = [];
const stores: Record<string, () => Promise<Store>> = {
  async 'of a file'() {
    const store = new FileStore(join(folder, 'deep', 'mailer.sqlite'));
    stops.push(() => store.close());
    return store;
  },
  async 'of a table'() {
    const endpoint = await startedDynamoDbLocal();
    const TableName = `Mails-${process.pid}-${Date.now()}`;
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
    stops.push(() => client.destroy());
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'name', AttributeType: 'S' },
          { AttributeName: 'list', AttributeType: 'S' },
          { AttributeName: 'due', AttributeType: 'N' },
        ],
        KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: openIndex,
            KeySchema: [
              { AttributeName: 'list', KeyType: 'HASH' },
              { AttributeName: 'due', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    );
    return new DynamoStore(TableName, client);
  },
};
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(stores))('the store %s of the mailer', (name) => {
  let store: Store;
  beforeAll(async () => {
    const made = await stores[name]?.();
    if (made === undefined) throw new Error(`There is no store ${name}.`);
    store = made;
  });

  it('of two writers of a version, one is told that the other was faster', async () => {
    expect(await store.read('a')).toBeUndefined();
    const first = await Promise.all(['1', '2'].map((value) => store.write({ name: 'a', value }, 0)));
    expect(first.filter(Boolean)).toHaveLength(1);
    const next = await Promise.all(['3', '4'].map((value) => store.write({ name: 'a', value }, 1)));
    expect(next.filter(Boolean)).toHaveLength(1);
    expect(await store.read('a')).toMatchObject({ version: 2, value: next[0] ? '3' : '4' });
    expect(await store.write({ name: 'a', value: '5' }, 7)).toBe(false);
  });

  it('lists what is open and due, the oldest first, until it is closed', async () => {
    for (const [one, dueMs] of [
      ['late', 30],
      ['early', 10],
      ['next', 20],
    ] as const)
      await store.write({ name: one, value: '', open: { list: 'event', dueMs } }, 0);
    await store.write({ name: 'bad', value: '', open: { list: 'failed', dueMs: 5 } }, 0);
    expect(await store.open('event', 20, 10)).toEqual(['early', 'next']);
    expect(await store.open('event', 99, 1)).toEqual(['early']);
    expect(await store.open('failed', Number.MAX_SAFE_INTEGER, 10)).toEqual(['bad']);
    await store.write({ name: 'early', value: '' }, 1);
    expect(await store.open('event', 99, 10)).toEqual(['next', 'late']);
  });
});
