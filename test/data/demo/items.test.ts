import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { StoredItem } from '../../../local/cloud/dynamodb/put-items.ts';
import { demoData } from '../../../local/demo/data.ts';
import { fillDemo } from '../../../local/demo/fill.ts';
import { demoHashKeyItem } from '../../../local/demo/hash-key.ts';
import { demoItems } from '../../../local/demo/items.ts';
import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { auditSeats } from '../../../shared/data/audit/seats.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readSections, sectionsOf } from '../../../shared/data/seats/shown.ts';
import { membersPartition, sequenceKey } from '../../../shared/data/table/keys.ts';
import { noSeats, seatKinds, seatsOf } from '../../../shared/domain/seats/seat-map.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { storedTreeKeys } from '../../support/position-trees.ts';
import { createTestTable } from '../../support/table.ts';

const nowUnix = Date.UTC(2026, 10, 14, 15) / 1000;
const orgId = 'org_lantern';

it('demo data in the table equals data that was saved record by record', async () => {
  const { table } = await createTestTable();
  await givenOrganisation(table, orgId);
  await putItems(table, [...demoItems(orgId, nowUnix)]);

  const customer = await findCustomer(table, orgId, 'LT-10007');
  const member = await memberByNumber(table, orgId, '0000107');
  if (customer === undefined || member === undefined) throw new Error('The demo needs a customer and a member.');
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
  expect(await storedTreeKeys(table, { orgId, resource: 'members' }, 'all')).toHaveLength(80);
  const bySort = await Promise.all(
    ['added', 'updated', 'first', 'last', 'email'].map((sort) =>
      storedTreeKeys(table, { orgId, resource: 'customers' }, sort),
    ),
  );
  expect(new Set(bySort.map((keys) => keys.length))).toEqual(new Set([demoData(orgId, nowUnix).customers.length]));
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: sequenceKey(orgId) }));
  expect(Item).toMatchObject({ members: 80, lastNumber: 180, numberWidth: 7 });
  table.client.destroy();
});

it('demo data has every seat of the theatre once, with the basket, order or nobody that has it', async () => {
  const { table } = await createTestTable();
  await givenOrganisation(table, orgId);
  await putItems(table, [...demoItems(orgId, nowUnix)]);
  const { events } = demoData(orgId, nowUnix).season;
  const [show] = events.filter(({ event }) => event.statusId === 1 && event.seatingMapId !== null);
  const eventId = show?.event.eventId ?? 0;
  expect(await auditSeats(table, { orgId, eventId }, nowUnix)).toEqual([]);
  const map = show?.plan.sells?.map ?? noSeats;
  const rows = (await readSections(table, orgId, { eventId, sections: sectionsOf(map) })).values();
  expect([...rows].flat().reduce((sum, { owners }) => sum + owners.size, 0)).toBeGreaterThan(50);
  expect(map.zones.map(({ zone }) => zone)).toEqual(['Stalls', 'Dress circle']);
  expect(new Set(seatsOf(map).map(({ kind }) => kind))).toEqual(new Set(seatKinds));
  table.client.destroy();
});

it('demo data keeps the own seats of members at the event on their map', async () => {
  const { table } = await createTestTable();
  const club = 'org_harbourfc';
  // What the audit of seats reads.
  const isRead = ({ pk, ownSeatMapId }: Record<string, unknown>) =>
    /^(MCF|SMP|SEM|SEA|EVT|EVC|ORT)#/.test(String(pk)) || (String(pk).startsWith('MEM#') && Boolean(ownSeatMapId));
  await putItems(table, [...demoItems(club, nowUnix)].filter(isRead));
  const { events } = demoData(club, nowUnix).season;
  const [night] = events.filter(({ seatsOfMembers }) => seatsOfMembers.size > 0);
  expect(night?.seatsOfMembers.size).toBeGreaterThan(10);
  expect(await auditSeats(table, { orgId: club, eventId: night?.event.eventId ?? 0 }, nowUnix)).toEqual([]);
  table.client.destroy();
});

it('demo data is written in the JSON of DynamoDB, and begins with the key of hashes', async () => {
  const [first, second] = await new Promise<StoredItem[]>((resolve) => {
    void fillDemo(nowUnix * 1000)(async (items) => {
      const [key = {}, item = {}] = items;
      resolve([key, item]);
    });
  });
  expect(first).toEqual({ pk: { S: 'HMAC#' }, sk: { S: '#' }, key: { S: demoHashKeyItem.key } });
  expect(JSON.parse(JSON.stringify([first, second]))).toEqual([first, second]);
});
