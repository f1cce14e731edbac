import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { allocateMemberNumbers } from '../../../shared/data/members/numbers.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType, newOrganisation } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf } from '../../support/baskets.ts';
import { crashingAt, Files, importInto, overtaking } from '../../support/import-files.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { buyMembership, givenType, renewMember } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
const { table } = await createTestTable();
const files = new Files();
afterAll(() => files.remove());

let organisations = 0;
let deps = checkoutDepsOf(table, 'org_impmembers');
beforeEach(async () => {
  organisations += 1;
  deps = checkoutDepsOf(table, `org_impmembers${organisations}`);
  await givenOrganisation(table, deps.orgId);
});

const lines = (...rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const created = 1_700_000_000;

async function imported(rows: readonly object[], through: Table = table, batchRows = 250) {
  const file = files.write('members.ndjson', lines(...rows));
  const counts = await importInto(through, { orgId: deps.orgId, dataset: 'members', file, batchRows });
  const rejected = counts.rejected === 0 ? [] : files.read('members.ndjson.rejected.ndjson').trim().split('\n');
  return { ...counts, reasons: rejected.map((line): string => JSON.parse(line).reason) };
}

async function bought() {
  const type = await givenType(table, deps.orgId, {});
  const { memberships } = await buyMembership(deps, type);
  const member = await readMember(table, deps.orgId, memberships[0]?.memberId ?? 0);
  if (member === undefined) throw new Error('Nobody joined.');
  return member;
}

describe('somebody who joins while members are imported', () => {
  it('gets a number after those of the file, and no row of the file changes them', async () => {
    let buyer: Awaited<ReturnType<typeof bought>> | undefined;
    const slow = overtaking(table, 'TransactWrite', 2, async () => {
      buyer = await bought();
    });
    const rows = ['0001001', '0001002', '0001003'].map((member_number) => ({
      member_number,
      first_name: 'John',
      created,
    }));
    expect(await imported(rows, slow, 1)).toMatchObject({ created: 3, updated: 0, rejected: 0 });
    expect(buyer?.memberNumber).toBe('0001004');
    expect(await readMember(table, deps.orgId, buyer?.memberId ?? 0)).toEqual(buyer);
  });

  it('keeps a number that they were given before the import began: the row of the file is rejected', async () => {
    const [memberNumber = ''] = await allocateMemberNumbers(table, deps.orgId, { members: 1, takenNumbers: 0 });
    const join = () => savedMember(table, deps.orgId, memberDraft(memberNumber, { firstName: 'Ann' }), created);
    const slow = overtaking(table, 'TransactWrite', 1, join);
    const { reasons, ...counts } = await imported([{ member_number: memberNumber, first_name: 'John' }], slow);
    expect(counts).toMatchObject({ created: 0, updated: 0, rejected: 1 });
    expect(reasons[0]).toContain('was given to somebody who joined during the import');
    expect(await memberByNumber(table, deps.orgId, memberNumber)).toMatchObject({ firstName: 'Ann', version: 1 });
  });

  it('is not the person of a row that says when its person became a member', async () => {
    const buyer = await bought();
    const row = { member_number: buyer.memberNumber, first_name: 'John', email_address: 'john@file.example', created };
    const { reasons } = await imported([row]);
    expect(reasons).toEqual([expect.stringContaining('joined here at another time than created says')]);
    expect(await readMember(table, deps.orgId, buyer.memberId)).toEqual(buyer);
    const same = await imported([{ ...row, created: buyer.createdUnix }]);
    expect(same).toMatchObject({ updated: 1, rejected: 0 });
  });
});

describe('a membership that was sold here', () => {
  it('has its names, contact data, card and seat changed by a file', async () => {
    const { memberId, memberNumber } = await bought();
    const row = { member_number: memberNumber, first_name: 'Anna', address: 'Low Street 1', marketing_emails: true };
    const seat = { seat_section: 'East', seat_row: 'A', seat_title: '12' };
    expect(await imported([{ ...row, ...seat, barcode: 'NEWCARD' }])).toMatchObject({ updated: 1, rejected: 0 });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({
      firstName: 'Anna',
      address: 'Low Street 1',
      marketingEmails: true,
      barcode: 'NEWCARD',
      seatSection: 'East',
      seatRow: 'A',
      seatTitle: '12',
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each([
    { membership_member_status_id: 0 },
    { membership_member_status_id: 3 },
    { membership_type_code: 'other' },
    { membership_type_code: null },
    { expires: created },
    { membership_order_id: 'OLD-1' },
    { org_customer_id: 'ben' },
    { auto_renew: 1 },
    { instalments: true },
  ])('keeps what its order says: a row with %j is rejected', async (change) => {
    const buyer = await bought();
    const { orgId } = deps;
    await givenConfig(table, orgId, category(orgId, 'season'), membershipType(orgId, 'other'));
    await givenCustomer(table, orgId, { orgCustomerId: 'ben', firstName: 'Ben' });
    const { reasons } = await imported([{ member_number: buyer.memberNumber, first_name: 'Ben', ...change }]);
    expect(reasons).toEqual([`${Object.keys(change)[0]} cannot be changed by a file: the membership was sold here.`]);
    expect(await readMember(table, orgId, buyer.memberId)).toEqual(buyer);
  });

  it('is judged again if its first term is sold while a file changes the member', async () => {
    await givenType(table, deps.orgId, {});
    const paid = { membership_type_code: 'full', membership_member_status_id: 1, expires: deps.nowUnix + 86_400 };
    await imported([{ member_number: 'M1', ...paid }]);
    const { memberId = 0 } = (await memberByNumber(table, deps.orgId, 'M1')) ?? {};
    const slow = overtaking(table, 'TransactWrite', 1, () => renewMember(deps, memberId));
    const { reasons } = await imported([{ member_number: 'M1', expires: created }], slow);
    expect(reasons).toEqual(['expires cannot be changed by a file: the membership was sold here.']);
  });
});

describe('a cancelled member without a term that was sold here', () => {
  it('stays cancelled: a row with another status is rejected', async () => {
    await imported([{ member_number: 'M1', membership_member_status_id: 3 }]);
    const { reasons } = await imported([{ member_number: 'M1', membership_member_status_id: 1, first_name: 'Ann' }]);
    expect(reasons).toEqual(['membership_member_status_id is 3 (cancelled), which is final.']);
    expect(await memberByNumber(table, deps.orgId, 'M1')).toMatchObject({ statusId: 3, firstName: null });
  });
});

describe('--resume', () => {
  it('refuses the checkpoint of an import into another table', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write(
      'stage.ndjson',
      lines(...['1', '2', '3', '4'].map((member_number) => ({ member_number }))),
    );
    const given = { orgId, dataset: 'members', file, batchRows: 1 };
    await expect(importInto(crashingAt(table, 9), given)).rejects.toThrow('killed');
    const { table: other } = await createTestTable();
    await expect(importInto(other, { ...given, resume: true })).rejects.toThrow('another table');
    expect(await importInto(table, { ...given, resume: true })).toMatchObject({ read: 4, rejected: 0 });
  });
});
