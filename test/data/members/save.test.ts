import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveMember } from '../../../shared/data/admin/save-member.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { refreshMembersOfType } from '../../../shared/data/members/refresh.ts';
import { memberItem } from '../../../shared/data/members/row.ts';
import { barcodeKey, memberKey, membersPartition } from '../../../shared/data/table/keys.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { createdUnixOf } from '../../../shared/domain/ids.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { aMember, givenMembers, type NumberedDraft, savedMember, someDay } from '../../../tools/fixtures/members.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable, testClientConfig } from '../../support/table.ts';

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const newOrganisation = (): string => {
  organisations += 1;
  return `org_save${organisations}`;
};

function draft(changes: Partial<NumberedDraft> = {}): NumberedDraft {
  const { memberId: _id, version: _version, ...rest } = aMember();
  return { ...rest, memberNumber: 'M1', firstName: 'Ada', ...changes };
}

async function rows(orgId: string): Promise<unknown[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': membersPartition(orgId) },
    }),
  );
  return Items;
}

describe('saving a member', () => {
  it('saving a member creates an id that contains the second of its creation', async () => {
    const { outcome, member } = await savedMember(
      table,
      newOrganisation(),
      draft({ createdUnix: someDay - 5 }),
      someDay,
    );
    expect(outcome).toBe('created');
    expect(createdUnixOf(member.memberId)).toBe(someDay - 5);
    expect(member.updatedUnix).toBeNull();
  });

  it('saving a member twice with the same values writes once and does not change updated_at', async () => {
    const orgId = newOrganisation();
    const first = await savedMember(table, orgId, draft(), someDay);
    const before = await rows(orgId);
    expect(await savedMember(table, orgId, draft(), someDay + 99)).toEqual({
      outcome: 'unchanged',
      member: first.member,
    });
    expect(await rows(orgId)).toEqual(before);
  });

  it('saving a member with other values updates it and sets updated_at', async () => {
    const orgId = newOrganisation();
    const { member } = await savedMember(table, orgId, draft(), someDay);
    const changed = await savedMember(
      table,
      orgId,
      draft({ firstName: 'Grace', createdUnix: someDay + 7 }),
      someDay + 99,
    );
    expect(changed).toMatchObject({
      outcome: 'updated',
      member: {
        memberId: member.memberId,
        firstName: 'Grace',
        createdUnix: member.createdUnix,
        updatedUnix: someDay + 99,
      },
    });
  });

  it('saving a member concurrently with one number creates one member', async () => {
    const orgId = newOrganisation();
    const saved = await Promise.all(Array.from({ length: 12 }, () => savedMember(table, orgId, draft(), someDay)));
    expect(saved.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(new Set(saved.map(({ member }) => member.memberId)).size).toBe(1);
    expect(await rows(orgId)).toHaveLength(1);
  });

  it('saving a member concurrently with different values loses no change', async () => {
    const orgId = newOrganisation();
    await savedMember(table, orgId, draft(), someDay);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        savedMember(table, orgId, draft({ firstName: `N${index}` }), someDay + 1),
      ),
    );
    expect(await rows(orgId)).toMatchObject([{ version: 9 }]);
  });

  it.each(['before', 'after'])('saving a member again after a crash %s its transaction succeeds', async (when) => {
    const orgId = newOrganisation();
    const crashing = openTable(table.name, testClientConfig());
    crashing.client.middlewareStack.add(
      (next, context) => async (args) => {
        const isWrite = context.commandName === 'TransactWriteItemsCommand';
        if (isWrite && when === 'before') throw new Error('crash');
        const result = await next(args);
        if (isWrite) throw new Error('crash');
        return result;
      },
      { step: 'initialize', priority: 'high' },
    );
    await expect(savedMember(crashing, orgId, draft(), someDay)).rejects.toThrow('crash');
    expect(await rows(orgId)).toHaveLength(when === 'before' ? 0 : 1);
    expect((await savedMember(table, orgId, draft(), someDay)).outcome).toBe(
      when === 'before' ? 'created' : 'unchanged',
    );
    expect(await rows(orgId)).toHaveLength(1);
  });
});

describe('saving some fields of a member', () => {
  const fields = { orgId: '', memberNumber: 'M1', nowUnix: someDay + 9 };

  it('saving some fields of a member reads the member again when another write came first', async () => {
    const orgId = newOrganisation();
    await savedMember(table, orgId, draft(), someDay);
    let asked = 0;
    const slow = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await savedMember(table, orgId, draft({ trackingCode: 'AB1' }), someDay + 1);
      return send();
    });
    const saved = await saveMember(slow, {
      ...fields,
      orgId,
      draft: (current) => {
        asked += 1;
        return { ...draft(), ...current, lastName: 'Lovelace' };
      },
    });
    expect(asked).toBe(2);
    expect(saved).toMatchObject({
      outcome: 'updated',
      member: { trackingCode: 'AB1', lastName: 'Lovelace', version: 3 },
    });
  });

  it('saving different fields of a member concurrently keeps them all', async () => {
    const orgId = newOrganisation();
    await savedMember(table, orgId, draft(), someDay);
    const changes = [{ lastName: 'L' }, { companyName: 'C' }, { suburb: 'S' }, { state: 'V' }];
    await Promise.all(
      changes.map((some) =>
        saveMember(table, { ...fields, orgId, draft: (current) => ({ ...draft(), ...current, ...some }) }),
      ),
    );
    expect(await rows(orgId)).toMatchObject([{ lastName: 'L', companyName: 'C', suburb: 'S', state: 'V', version: 5 }]);
  });
});

describe('member barcodes', () => {
  const holder = async (orgId: string, barcode: string): Promise<unknown> =>
    (await table.client.send(new GetCommand({ TableName: table.name, Key: barcodeKey(orgId, barcode) }))).Item;

  it('a member barcode finds its member, and after a change only the new barcode does', async () => {
    const orgId = newOrganisation();
    const { member } = await savedMember(table, orgId, draft({ barcode: 'OLD' }), someDay);
    expect(await holder(orgId, 'OLD')).toMatchObject({ kind: 'member', memberId: member.memberId });
    await savedMember(table, orgId, draft({ barcode: 'NEW' }), someDay + 1);
    expect(await holder(orgId, 'OLD')).toBeUndefined();
    expect(await holder(orgId, 'NEW')).toMatchObject({ kind: 'member', memberId: member.memberId });
    await savedMember(table, orgId, draft({ barcode: null }), someDay + 2);
    expect(await holder(orgId, 'NEW')).toBeUndefined();
  });

  it('a member barcode belongs to one member of an organisation, and a second member is refused', async () => {
    const orgId = newOrganisation();
    await savedMember(table, orgId, draft({ barcode: 'B1' }), someDay);
    const second = draft({ memberNumber: 'M2', barcode: 'B1' });
    const save = { orgId, memberNumber: 'M2', nowUnix: someDay, draft: () => second };
    expect(await saveMember(table, save)).toEqual({ outcome: 'barcode_taken', barcode: 'B1' });
    expect(await rows(orgId)).toHaveLength(1);
    expect(await savedMember(table, newOrganisation(), second, someDay)).toMatchObject({ outcome: 'created' });
  });
});

describe('changing a membership type', () => {
  it('changing a membership type updates its members, keeps their updated_at and moves them to the new seat map', async () => {
    const orgId = newOrganisation();
    const type = { typeId: 11, typeTitle: 'Gold', categoryId: 1, categoryTitle: 'Adults', seatMapId: 21 };
    const ofType = Array.from({ length: 30 }, () => aMember({ ...type, updatedUnix: someDay + 3 }));
    const others = Array.from({ length: 5 }, () => aMember({ ...type, typeId: 12 }));
    await givenMembers(table, orgId, [...ofType, ...others]);
    const changed = { ...type, typeTitle: 'Platinum', seatMapId: 22 };
    expect(await refreshMembersOfType(table, orgId, changed)).toBe(30);
    expect(await refreshMembersOfType(table, orgId, changed)).toBe(0);
    const onNewMap: unknown[] = [];
    for await (const chunk of everyMember(table, orgId, planMembers({ seatMapId: 22 }))) onNewMap.push(...chunk);
    expect(onNewMap).toHaveLength(30);
    expect(onNewMap[0]).toMatchObject({ typeTitle: 'Platinum', updatedUnix: someDay + 3 });
  });
});

describe('member item', () => {
  it('a member item stores no empty values, and reads back unchanged', async () => {
    const orgId = newOrganisation();
    const member = aMember({ memberNumber: 'M1', lastName: 'Ünïcode 🎫', seatMapId: 3 });
    await givenMembers(table, orgId, [member]);
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: memberKey(orgId, member.memberId) }),
    );
    expect(Object.values(Item ?? {})).not.toContain(null);
    expect(Item).toEqual(memberItem(orgId, member));
  });
});
