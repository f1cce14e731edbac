import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admitKey } from '../../../shared/data/auth/admit-key.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { scopes } from '../../../shared/domain/auth/scopes.ts';
import { parseKey, testSigner } from '../../../tools/fixtures/signing-key.ts';
import { type Admin, adminTool, documentOf, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { createTestTable } from '../../support/table.ts';

const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
const noonUnix = noon / 1000;

let nowMs = noon;
let table: Table;
let admin: Admin;
let local: LocalRun;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => nowMs });
});

afterAll(() => local.remove());
beforeEach(() => {
  nowMs = noon;
});

const asJson = (...words: readonly string[]) => documentOf(admin, ...words);

async function refusalOf(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await admin(...words, '--local', '--json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return JSON.parse(stderr).error;
}

const required = ['--name', 'Harbour City FC', '--country', 'au', '--timezone', 'australia/melbourne'];
let organisations = 0;

async function givenClub(): Promise<string> {
  organisations += 1;
  const { org_id } = await asJson('org', 'create', ...required, '--id', `org_club${organisations}`);
  return org_id;
}

async function authenticate(text: string): Promise<string> {
  const key = parseKey(text);
  if (key === undefined) throw new Error('An issued key cannot be parsed.');
  return (await admitKey(table, key, nowMs)).outcome;
}

const bareOrganisation = {
  name: 'Harbour City FC',
  company: null,
  business_number: null,
  payment_account_id: null,
  country: 'AU',
  country_name: 'Australia',
  timezone: 'Australia/Melbourne',
  locale: 'en',
  logo_image: null,
  background_image: null,
  favicon: null,
  background_color: null,
  limits: { key_minute: 300, key_day: 30_000, organisation_day: 50_000 },
  created: noonUnix,
};

describe('admin org', () => {
  it('create generates an id, and show prints the same organisation', async () => {
    const created = await asJson('org', 'create', ...required);
    expect(created).toEqual({ ...bareOrganisation, org_id: expect.stringMatching(/^org_[a-z2-7]{12}$/) });
    expect(await asJson('org', 'show', created.org_id)).toEqual(created);
    const { stdout, exitCode } = await admin('org', 'show', created.org_id, '--local');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toContain('country_name        Australia');
    expect(stdout.split('\n')).toContain('company             -');
    expect(stdout.split('\n')).toContain('created             2026-11-14 12:00 UTC');
  });

  it('create stores every field', async () => {
    const extras = ['--company', 'Harbour Ltd', '--business-number', '51 824', '--payment-account', 'acct_1'];
    const images = ['--logo-image', 'https://a.example/l', '--background-image', 'https://a.example/b'];
    const looks = ['--favicon', 'https://a.example/f', '--background-color', '#0b2545'];
    expect(await asJson('org', 'create', '--id', 'org_full', ...required, ...extras, ...images, ...looks)).toEqual({
      ...bareOrganisation,
      org_id: 'org_full',
      company: 'Harbour Ltd',
      business_number: '51 824',
      payment_account_id: 'acct_1',
      logo_image: 'https://a.example/l',
      background_image: 'https://a.example/b',
      favicon: 'https://a.example/f',
      background_color: '#0b2545',
    });
  });

  it('update changes the given fields and clears those with an empty value', async () => {
    const org_id = await givenClub();
    await asJson('org', 'update', org_id, '--company', 'Harbour Ltd', '--favicon', 'https://a.example/f');
    const { changed, ...updated } = await asJson('org', 'update', org_id, '--favicon=', '--timezone', 'Asia/Kolkata');
    expect(changed).toBe(true);
    expect(updated).toEqual({ ...bareOrganisation, org_id, company: 'Harbour Ltd', timezone: 'Asia/Kolkata' });
    expect(await asJson('org', 'show', org_id)).toEqual(updated);
  });

  it('takes a locale of the six languages, and refuses another with the list', async () => {
    const { org_id } = await asJson('org', 'create', ...required, '--locale', 'de-at');
    expect(await asJson('org', 'show', org_id)).toMatchObject({ locale: 'de-AT' });
    expect(await asJson('org', 'update', org_id, '--locale', 'fr-CA')).toMatchObject({
      locale: 'fr-CA',
      changed: true,
    });
    const refused = await admin('org', 'update', org_id, '--locale', 'pt-BR', '--local');
    expect(refused.stderr).toContain('en, de, fr, es, it, nl, alone or with a country, such as de-AT');
    expect(await asJson('org', 'show', org_id)).toMatchObject({ locale: 'fr-CA' });
  });

  it('update changes the request limits, alone or with other fields', async () => {
    const org_id = await givenClub();
    const limits = ['--key-minute', '600', '--key-day', '90000', '--org-day', '200000'];
    const changed = { limits: { key_minute: 600, key_day: 90_000, organisation_day: 200_000 }, changed: true };
    expect(await asJson('org', 'update', org_id, ...limits)).toMatchObject(changed);
    expect(await asJson('org', 'update', org_id, ...limits)).toMatchObject({ ...changed, changed: false });
    expect(await asJson('org', 'update', org_id, '--key-minute', '10', '--name', 'New')).toMatchObject({
      name: 'New',
      changed: true,
      limits: { key_minute: 10, key_day: 90_000 },
    });
    expect(await refusalOf('org', 'update', 'org_nobody', '--org-day', '1')).toMatchObject({
      code: 'organisation_missing',
    });
  });

  it('refuses to create an id that exists and to show or update one that does not', async () => {
    const id = await givenClub();
    expect(await refusalOf('org', 'create', ...required, '--id', id)).toEqual({
      code: 'organisation_exists',
      message: `The organisation ${id} exists already.`,
      argument: null,
    });
    expect(await refusalOf('org', 'show', 'org_nobody')).toMatchObject({ code: 'organisation_missing' });
    expect(await refusalOf('org', 'update', 'org_nobody', '--name', 'N')).toMatchObject({
      code: 'organisation_missing',
    });
  });
});

describe('admin key', () => {
  it('issue prints the key once, and the key is admitted', async () => {
    const org_id = await givenClub();
    const issued = await asJson(
      'key',
      'issue',
      org_id,
      '--scopes',
      'sso,read',
      '--label',
      'website',
      '--expires',
      '90d',
    );
    expect(issued).toEqual({
      org_id,
      key_id: '1',
      label: 'website',
      mode: 'live',
      scopes: ['read', 'sso'],
      state: 'live',
      signer: testSigner.id,
      ending: issued.api_key.slice(-4),
      created: noonUnix,
      expires: noonUnix + 90 * 86_400,
      revoked: null,
      last_used: null,
      rotated_from: null,
      rotated_to: null,
      api_key: expect.stringMatching(/^gl_live_club\d+_1_/),
    });
    expect(await authenticate(issued.api_key)).toBe('admitted');
    const { api_key, ...known } = issued;
    expect(await asJson('key', 'list', org_id)).toEqual({
      object: 'api_keys',
      org_id,
      data: [{ ...known, last_used: noonUnix }],
    });
  });

  it('issue takes --scopes all, --mode, and --expires as a date, as Unix seconds and as never', async () => {
    const org_id = await givenClub();
    const issue = (...words: readonly string[]) => asJson('key', 'issue', org_id, '--scopes', 'all', ...words);
    expect(await issue('--mode', 'test')).toMatchObject({ mode: 'test', scopes, expires: null });
    expect(await issue('--expires', '2027-01-31')).toMatchObject({ expires: Date.UTC(2027, 0, 31) / 1000 });
    expect(await issue('--expires', '1800000000')).toMatchObject({ expires: 1_800_000_000 });
    expect(await issue('--expires', 'never')).toMatchObject({
      expires: null,
      api_key: expect.stringMatching(/^gl_live_/),
    });
    for (const past of ['2026-11-14', '1700000000', String(noonUnix)]) {
      const refused = await admin('key', 'issue', org_id, '--scopes', 'all', '--expires', past, '--local', '--json');
      expect(refused, past).toMatchObject({ exitCode: 2, stdout: '' });
      expect(JSON.parse(refused.stderr).error).toEqual({
        code: 'usage_error',
        message: expect.stringContaining('it is 2026-11-14T12:00:00.000Z now. Allowed: a duration such as 90d'),
        argument: '--expires',
      });
    }
  });

  it('issue and list print tables without --json', async () => {
    const org_id = await givenClub();
    const issued = await admin('key', 'issue', org_id, '--scopes', 'all', '--local');
    expect(issued.stdout).toMatch(/\n\ngl_live_\S+\n\nSave the key now: it cannot be shown again\.$/);
    await admin('key', 'issue', org_id, '--scopes', 'read', '--label', 'kiosk', '--expires', '1h', '--local');
    nowMs += 3_600_000;
    const { stdout } = await admin('key', 'list', org_id, '--local');
    expect(stdout.replace(/…\w{4}/g, '…abcd').split('\n')).toEqual([
      'KEY  LABEL  MODE  SCOPES  STATE    ENDS WITH  CREATED               EXPIRES               LAST USED  ROTATED TO',
      '1    -      live  all     live     …abcd      2026-11-14 12:00 UTC  never                 -          -',
      '2    kiosk  live  read    expired  …abcd      2026-11-14 12:00 UTC  2026-11-14 13:00 UTC  -          -',
    ]);
    expect((await admin('key', 'list', await givenClub(), '--local')).stdout).toBe('No keys yet.');
  });

  it('rotate prints both keys and ends the old one after --overlap', async () => {
    const org_id = await givenClub();
    const old = await asJson('key', 'issue', org_id, '--scopes', 'read', '--label', 'kiosk');
    const rotated = await asJson('key', 'rotate', org_id, '1', '--yes', '--overlap', '2h', '--expires', '30d');
    expect(rotated).toMatchObject({ key_id: '2', label: 'kiosk', rotated_from: '1', expires: noonUnix + 30 * 86_400 });
    expect(rotated.replaced).toMatchObject({ key_id: '1', state: 'live', expires: noonUnix + 7_200, rotated_to: '2' });
    nowMs += 7_200_000;
    expect([await authenticate(old.api_key), await authenticate(rotated.api_key)]).toEqual(['expired', 'admitted']);
    const again = await asJson('key', 'rotate', org_id, '2', '--yes', '--overlap', '0');
    expect(again.replaced).toMatchObject({ key_id: '2', state: 'revoked', last_used: nowMs / 1000 });
    expect([await authenticate(rotated.api_key), await authenticate(again.api_key)]).toEqual(['unknown', 'admitted']);
  });

  it('revoke takes effect at the next request and can be repeated', async () => {
    const org_id = await givenClub();
    const { api_key } = await asJson('key', 'issue', org_id, '--scopes', 'read');
    expect(await authenticate(api_key)).toBe('admitted');
    nowMs += 120_000;
    const revoked = await asJson('key', 'revoke', org_id, '1', '--yes');
    expect(revoked).toMatchObject({ state: 'revoked', revoked: noonUnix + 120, last_used: noonUnix });
    expect(await authenticate(api_key)).toBe('unknown');
    nowMs += 120_000;
    expect(revoked.changed).toBe(true);
    expect(await asJson('key', 'revoke', org_id, '1', '--yes')).toEqual({ ...revoked, changed: false });
  });

  it('refuses with a code and says what to do', async () => {
    const org_id = await givenClub();
    for (const words of [['issue', '--scopes', 'read'], ['list'], ['rotate', '1', '--yes'], ['revoke', '1', '--yes']]) {
      const [command = '', ...rest] = words;
      expect(await refusalOf('key', command, 'org_nobody', ...rest)).toMatchObject({ code: 'organisation_missing' });
    }
    expect(await refusalOf('key', 'rotate', org_id, '7', '--yes')).toMatchObject({ code: 'key_missing' });
    expect(await refusalOf('key', 'revoke', org_id, '7', '--yes')).toMatchObject({
      code: 'key_missing',
      message: `${org_id} has no key 7. To list its keys: key list ${org_id}`,
    });
    for (let count = 0; count < 19; count += 1) await asJson('key', 'issue', org_id, '--scopes', 'read');
    await asJson('key', 'rotate', org_id, '1', '--yes');
    expect(await refusalOf('key', 'rotate', org_id, '1', '--yes')).toMatchObject({ code: 'already_rotated' });
    expect(await refusalOf('key', 'issue', org_id, '--scopes', 'read')).toMatchObject({ code: 'limit_reached' });
    expect(await refusalOf('key', 'rotate', org_id, '2', '--yes')).toMatchObject({ code: 'limit_reached' });
    await asJson('key', 'revoke', org_id, '3', '--yes');
    expect(await refusalOf('key', 'rotate', org_id, '3', '--yes')).toMatchObject({
      code: 'not_live',
      message: `Key 3 of ${org_id} is revoked. Issue a new key instead.`,
    });
  });
});
