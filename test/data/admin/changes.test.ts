import { afterAll, describe, expect, it } from 'vitest';
import { listChanges } from '../../../shared/data/admin/operator-changes.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { noonUnix } from '../../support/baskets.ts';
import { givenPaidOrder } from '../../support/faults/refund-crash-scenario.ts';
import { Files } from '../../support/import-files.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { everyRow } from '../../support/rows/every-row.ts';

let readings = 0;
const { table, admin } = await givenAdmin(() => noonUnix * 1000 + readings++);
const files = new Files();
afterAll(() => files.remove());
const orgId = 'org_changes';
await givenOrganisation(table, orgId);

const newest = async () => (await documentOf(admin, 'changes', '--org', orgId)).data[0];

describe('a change by the CLI', () => {
  it('leaves a record of who, when and what, with the run that the log names', async () => {
    await documentOf(admin, 'org', 'update', orgId, '--name', 'Another club', '--by', 'grace');
    expect(await newest()).toEqual({
      request_id: expect.stringMatching(/^cli_/),
      by: 'grace',
      command: 'org update',
      org_id: orgId,
      named: [`org_id ${orgId}`, '--name …'],
      started: noonUnix,
      ended: noonUnix,
      outcome: 'done',
      code: null,
      writes: 1,
    });
    expect((await admin('changes', '--local')).stdout).toContain('grace');
  });

  it('is recorded before the first write, and says how the command failed', async () => {
    await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    const file = files.write('members.ndjson', '{"member_number":"1"}\n{"member_number":"2","gender":7}');
    expect(await admin('import', 'members', orgId, file, '--local')).toMatchObject({ exitCode: 1 });
    expect(await newest()).toMatchObject({ command: 'import members', outcome: 'failed', code: 'rows_rejected' });
  });

  it('is not recorded for a command that only reads', async () => {
    const before = await listChanges(table, { limit: 50 });
    await documentOf(admin, 'org', 'show', orgId);
    expect(await listChanges(table, { limit: 50 })).toEqual(before);
  });

  it('leaves nothing of a person in its record', async () => {
    await givenCustomer(table, orgId, { orgCustomerId: 'quixley@trace.example', firstName: 'Xanthippe' });
    await documentOf(admin, 'customer', 'erase', orgId, 'quixley@trace.example', '--yes');
    expect(await newest()).toMatchObject({ command: 'customer erase', outcome: 'done' });
    const rows = [...(await everyRow(table)).values()].filter(({ pk }) => String(pk).startsWith('OPC#'));
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('quixley');
  });
});

describe('a command that moves money or ends something', () => {
  it('says what would happen and changes nothing without --yes', async () => {
    const { orderId, deps } = await givenPaidOrder(table, 'org_unconfirmed');
    const before = await everyRow(table);
    for (const command of ['refund', 'cancel']) {
      const { exitCode, stderr } = await admin('order', command, deps.orgId, String(orderId), '--local');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^3 of 3 tickets of order \d+ \(confirmed, .*96\.45.*\) would become invalid\./);
      expect(stderr).toContain('Repeat the command with --yes');
    }
    expect(await everyRow(table)).toEqual(before);
  });

  it.each([
    ['key', 'revoke', orgId, '1'],
    ['gate', 'token', 'revoke', orgId, '7k2p'],
    ['gate', 'remove', orgId, '4'],
    ['storefront', 'revoke', orgId, '7k2p'],
    ['sso', 'provider', 'remove', orgId, 'login'],
    ['sso', 'unlink', orgId, '--issuer', 'https://login.example.com', '--subject', 'ada'],
    ['org', 'rotate-links', orgId],
  ])('asks for --yes: %s %s', async (...argv) => {
    const before = await everyRow(table);
    const { exitCode, stderr } = await admin(...argv, '--local', '--json');
    expect({ exitCode, code: JSON.parse(stderr).error.code }).toEqual({ exitCode: 1, code: 'confirmation_missing' });
    expect(await everyRow(table)).toEqual(before);
  });

  it('asks for --yes to cancel a member, and not for another status', async () => {
    await savedMember(table, orgId, memberDraft('M-9'), noonUnix);
    const setStatus = (...argv: string[]) =>
      admin('member', 'set-status', orgId, 'M-9', ...argv, '--number', '--local');
    expect(await setStatus('cancelled')).toMatchObject({ exitCode: 1 });
    expect(await memberByNumber(table, orgId, 'M-9')).toMatchObject({ statusId: 0 });
    expect(await setStatus('paid')).toMatchObject({ exitCode: 0 });
    expect(await setStatus('cancelled', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await memberByNumber(table, orgId, 'M-9')).toMatchObject({ statusId: 3 });
  });
});
