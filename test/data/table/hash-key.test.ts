import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createHashKey, hashKeyItem, personHash } from '../../../shared/data/table/hash-key.ts';
import { addressOrdersPartition, hashKeyKey } from '../../../shared/data/table/keys.ts';
import { personHashWith } from '../../../shared/data/table/person-hash.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';

const hash = personHashWith('one key');
const other = personHashWith('another key');

describe('hashes of people in keys', () => {
  it('an address has one hash, however it is spelled, and another in each organisation and with each key', () => {
    const of = hash.address('org_a', 'ada@example.com');
    expect(of).toMatch(/^[\w-]{22}$/);
    expect(hash.address('org_a', ' ADA@Example.com ')).toBe(of);
    const others = [
      hash.address('org_b', 'ada@example.com'),
      hash.address('org_a', 'adà@example.com'),
      hash.names('org_a', 'ada@example.com'),
      other.address('org_a', 'ada@example.com'),
    ];
    expect(new Set([of, ...others]).size).toBe(5);
  });

  it('the partition of the orders of an address cannot be computed without the key', () => {
    const partitions = [hash, other].map((one) => addressOrdersPartition('org_a', 'ada@example.com', one));
    expect(new Set(partitions).size).toBe(2);
  });
});

describe('the key of hashes', () => {
  it('is created once and never replaced, however many organisations are created at the same time', async () => {
    const { table } = await createTestTable();
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: hashKeyKey() }));
    await Promise.all([createHashKey(table), createHashKey(table), createHashKey(table)]);
    const created = await everyRow(table);
    await createHashKey(table);
    expect(await everyRow(table)).toEqual(created);
    expect([...created.values()]).toEqual([hashKeyItem(expect.stringMatching(/^[\w-]{43}$/))]);
  });

  it('is created with the first organisation, and not again if it is lost', async () => {
    const { table } = await createTestTable();
    const loseKey = () => table.client.send(new DeleteCommand({ TableName: table.name, Key: hashKeyKey() }));
    const hasKey = async () => [...(await everyRow(table)).keys()].some((key) => key.startsWith('HMAC#'));
    await loseKey();
    await givenOrganisation(table, 'org_first');
    expect(await hasKey()).toBe(true);
    await loseKey();
    await givenOrganisation(table, 'org_second');
    expect(await hasKey()).toBe(false);
  });

  it('a table that has lost its key refuses an address and says what to do', async () => {
    const { table } = await createTestTable();
    const lost = { ...table, name: `${table.name}-lost` };
    const missing = { ...lost, client: Object.create(table.client, { send: { value: async () => ({}) } }) };
    await expect(personHash(missing)).rejects.toThrow(
      'no key of hashes. It was created with the first organisation: restore the table.',
    );
  });
});
