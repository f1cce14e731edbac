import { GetCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemoData } from '../../bin/start/demo-load.ts';
import { findCustomer } from '../../shared/data/customers-read.ts';
import { saveCustomer } from '../../shared/data/customers-save.ts';
import { membersPartition, sequenceKey } from '../../shared/data/keys.ts';
import { memberByNumber } from '../../shared/data/members-write.ts';
import { readMembershipConfig } from '../../shared/data/membership-config.ts';
import { MembershipConfigEditor } from '../../shared/data/membership-config-write.ts';
import type { Table } from '../../shared/data/table.ts';
import { givenOrganisation } from '../support/door.ts';
import { savedMember } from '../support/members.ts';
import { crashingAt } from '../support/membership-files.ts';
import { createTestTable } from '../support/table.ts';

const nowUnix = Date.UTC(2026, 10, 14, 15) / 1000;
const orgId = 'org_lantern';
let table: Table;
let whole: string[];

beforeAll(async () => {
  table = await givenEmptyTheatre();
  expect(await loadDemoData(table, orgId, nowUnix)).toBe('loaded');
  whole = await allItems(table);
});
afterAll(() => table.client.destroy());

async function givenEmptyTheatre(): Promise<Table> {
  const { table: empty } = await createTestTable();
  await givenOrganisation(empty, orgId);
  return empty;
}

async function allItems(from: Table): Promise<string[]> {
  const texts: string[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await from.client.send(
      new ScanCommand({ TableName: from.name, ...(start !== undefined && { ExclusiveStartKey: start }) }),
    );
    texts.push(...Items.map((item) => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))));
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return texts.sort();
}

describe('the demo', () => {
  it('is in the table just as if it had been saved record by record', async () => {
    const customer = await findCustomer(table, orgId, 'LT-10007');
    const member = await memberByNumber(table, orgId, '0000107');
    if (customer === undefined || member === undefined) throw new Error('Somebody is missing.');
    expect(await saveCustomer(table, orgId, customer, nowUnix)).toMatchObject({ outcome: 'unchanged' });
    expect(await savedMember(table, orgId, { ...member, memberNumber: '0000107' }, nowUnix)).toMatchObject({
      outcome: 'unchanged',
    });
    const editor = await MembershipConfigEditor.open(table, orgId);
    for (const type of (await readMembershipConfig(table, orgId)).types.values()) {
      expect(await editor.save(type)).toBe('unchanged');
    }
    const { Count } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': membersPartition(orgId) },
        Select: 'COUNT',
      }),
    );
    expect(Count).toBe(80);
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: sequenceKey(orgId) }));
    expect(Item).toMatchObject({ members: 80 });
  });

  it('is not touched again, at the price of one read', async () => {
    await saveCustomer(table, orgId, { orgCustomerId: 'LT-10001', firstName: 'Changed' }, nowUnix);
    const before = await allItems(table);
    table.meter.reset();
    expect(await loadDemoData(table, orgId, nowUnix + 86_400 * 3)).toBe('kept');
    expect(table.meter.calls).toBe(1);
    expect(await allItems(table)).toEqual(before);
  });

  it('that was cut off is completed on another day with the same dates', async () => {
    const other = await givenEmptyTheatre();
    const crashing = crashingAt(other, 20);
    await expect(loadDemoData(crashing, orgId, nowUnix)).rejects.toThrow('killed');
    crashing.client.destroy();
    expect(await loadDemoData(other, orgId, nowUnix + 86_400 * 3)).toBe('loaded');
    expect(await allItems(other)).toEqual(whole);
    other.client.destroy();
  });

  it('stays out of an organisation that has data of its own', async () => {
    const own = await givenEmptyTheatre();
    await saveCustomer(own, orgId, { firstName: 'Own' }, nowUnix);
    expect(await loadDemoData(own, orgId, nowUnix)).toBe('kept');
    expect(await findCustomer(own, orgId, 'LT-10007')).toBeUndefined();
    own.client.destroy();
  });
});
