import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { announcedOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';

const noonMs = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let local: LocalRun;
let admin: Admin;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => noonMs });
});
afterAll(() => local.remove());

async function givenMember(fields: Partial<MemberRecord>) {
  organisations += 1;
  const orgId = `org_member${organisations}`;
  const member = aMember({ memberNumber: '0001001', firstName: 'Ada', ...fields });
  await givenMembers(table, orgId, [member]);
  return { orgId, id: String(member.memberId) };
}

const asJson = async (...words: readonly string[]) => {
  const { stdout, stderr } = await admin('member', ...words, '--local', '--json');
  return JSON.parse(stdout || stderr);
};

describe('admin member', () => {
  it('show finds a member by id or number and prints when it was fulfilled', async () => {
    const fulfilledUnix = noonMs / 1000 - 86_400;
    const { orgId, id } = await givenMember({ fulfilled: 'yes', fulfilledUnix, trackingCode: 'AB1' });
    const byId = await asJson('show', orgId, id);
    expect(byId).toMatchObject({ member_number: '0001001', fulfilled_at: fulfilledUnix });
    expect(await asJson('show', orgId, '0001001', '--number')).toEqual(byId);
    const { stdout } = await admin('member', 'show', orgId, id, '--local');
    expect(stdout).toMatch(/fulfilled_at +2026-11-13 12:00 UTC/);
    expect(stdout).toMatch(/membership_member_status_id +1 paid/);
  });

  it('refuses a member that does not exist', async () => {
    const { orgId } = await givenMember({});
    expect(await asJson('show', orgId, '77')).toMatchObject({ error: { code: 'member_missing' } });
    expect(await asJson('show', orgId, 'M9', '--number')).toMatchObject({ error: { code: 'member_missing' } });
    expect(await asJson('set-status', 'org_nobody', '77', 'paid')).toMatchObject({ error: { code: 'member_missing' } });
  });

  it('set-status makes an allowed change, sends member.updated once and can be repeated', async () => {
    const { orgId, id } = await givenMember({ statusId: 0 });
    expect(await asJson('set-status', orgId, id, 'instalments')).toMatchObject({
      outcome: 'changed',
      membership_member_status_id: 2,
    });
    expect(await asJson('set-status', orgId, id, '2')).toMatchObject({ outcome: 'unchanged' });
    const last = await asJson('set-status', orgId, id, 'paid');
    expect(last).toMatchObject({ outcome: 'changed', request_id: expect.stringMatching(/^cli_/) });
    expect(await announcedOf(table, orgId)).toMatchObject([
      { type: 'member.updated', data: { member: { updated_at: noonMs / 1000 } } },
      { type: 'member.updated' },
    ]);
  });

  it('set-status refuses a transition that is not allowed and lists the allowed ones', async () => {
    const { orgId, id } = await givenMember({ statusId: 1 });
    expect(await asJson('set-status', orgId, id, 'unpaid')).toMatchObject({
      error: { code: 'transition_not_allowed', message: 'The member is paid. Allowed: instalments, cancelled.' },
    });
    await asJson('set-status', orgId, id, 'cancelled', '--yes');
    expect(await asJson('set-status', orgId, id, 'paid')).toMatchObject({
      error: { message: 'The member is cancelled. This is final.' },
    });
    expect(await announcedOf(table, orgId)).toHaveLength(1);
  });

  it('fulfil records the time and the tracking code, as the API does', async () => {
    const { orgId, id } = await givenMember({});
    expect(await asJson('fulfil', orgId, id, '--tracking-code', 'AB1')).toMatchObject({
      outcome: 'changed',
      fulfilled_at: noonMs / 1000,
      fulfillment_tracking_code: 'AB1',
    });
    expect(await asJson('fulfil', orgId, id)).toMatchObject({ outcome: 'unchanged', fulfillment_tracking_code: 'AB1' });
    expect(await announcedOf(table, orgId)).toHaveLength(1);
  });
});
