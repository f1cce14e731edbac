import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { type Admin, adminTool, documentOf, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let local: LocalRun;
let admin: Admin;
let day: MatchDay;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => (kickOffUnix - 5_400) * 1000 });
  day = await givenMatchDay(table);
});
afterAll(() => {
  table.client.destroy();
  local.remove();
});

const asJson = (...words: readonly string[]) => documentOf(admin, ...words);

async function codeOf(...words: readonly string[]): Promise<string> {
  return JSON.parse((await admin(...words, '--local', '--json')).stderr).error.code;
}

describe('admin gate token', () => {
  it('issues a token, prints it once, lists it with its last use and revokes it', async () => {
    const words = ['--gates', '4,5', '--events', String(day.eventId), '--label', 'East', '--expires', '2h'];
    const { gate_token, ...issued } = await asJson('gate', 'token', 'issue', day.orgId, ...words);
    expect(issued).toMatchObject({
      gates: [4, 5],
      events: [day.eventId],
      label: 'East',
      state: 'live',
      last_used: null,
    });
    const scan = () => day.send({ barcode: 'nobody', gate_id: 4 }, { bearer: gate_token });
    expect(await scan()).toMatchObject({ status: 201, body: { result: 'invalid' } });
    const used = day.now() - (day.now() % 60);
    const listed = await asJson('gate', 'token', 'list', day.orgId);
    expect(listed.data).toEqual([{ ...issued, last_used: used }]);
    expect(JSON.stringify(listed)).not.toContain(gate_token);
    const revoked = await asJson('gate', 'token', 'revoke', day.orgId, issued.token_id, '--yes');
    expect(revoked).toMatchObject({ state: 'revoked', last_used: used });
    expect(await asJson('gate', 'token', 'revoke', day.orgId, issued.token_id, '--yes')).toEqual({
      ...revoked,
      changed: false,
    });
    expect(await scan()).toMatchObject({ status: 401, body: { error: { code: 'api_key_invalid' } } });
  });

  it('issues a token for offline use for events or a season, with an end, and no other', async () => {
    const issue = (...words: readonly string[]) =>
      ['gate', 'token', 'issue', day.orgId, '--offline', ...words] as const;
    const season = await asJson(...issue('--events', 'all', '--expires', '300d'));
    expect(season).toMatchObject({ events: 'all', offline: true, expires: expect.any(Number) });
    expect(await codeOf(...issue('--expires', '300d'))).toBe('offline_unbounded');
    expect(await codeOf(...issue('--events', 'all'))).toBe('offline_unbounded');
    expect(await codeOf(...issue('--events', 'all', '--expires', '500d'))).toBe('offline_unbounded');
  });

  it('refuses a missing organisation, event or token', async () => {
    expect(await codeOf('gate', 'token', 'issue', 'org_nobody')).toBe('organisation_missing');
    expect(await codeOf('gate', 'token', 'issue', day.orgId, '--events', '512')).toBe('event_missing');
    expect(await codeOf('gate', 'token', 'issue', day.orgId, '--gates', 'north')).toBe('usage_error');
    expect(await codeOf('gate', 'token', 'revoke', day.orgId, 'zzzz', '--yes')).toBe('token_missing');
  });
});

describe('admin gate', () => {
  it('registers a gate with the categories it admits, lists it and removes it', async () => {
    const { barcode } = await day.sell();
    const words = ['--name', 'West 1', '--price-categories', 'west', '--membership-categories', 'none'];
    const gate = await asJson('gate', 'add', day.orgId, '21', ...words);
    expect(gate).toMatchObject({ gate_id: 21, name: 'West 1', price_categories: ['west'], membership_categories: [] });
    expect((await asJson('gate', 'list', day.orgId)).data).toMatchObject([{ gate_id: 21 }]);
    expect((await day.scan(barcode, { gate_id: 21 })).result).toBe('wrong_gate');
    await asJson('gate', 'remove', day.orgId, '21', '--yes');
    expect((await day.scan(barcode, { gate_id: 21 })).result).toBe('ok');
    expect(await asJson('gate', 'remove', day.orgId, '21', '--yes')).toMatchObject({ changed: false });
    expect(await codeOf('gate', 'remove', 'org_nobody', '21', '--yes')).toBe('organisation_missing');
    expect(await codeOf('gate', 'add', 'org_nobody', '1', '--name', 'x')).toBe('organisation_missing');
  });
});
