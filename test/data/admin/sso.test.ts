import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoSsoFile, seedDemoSso } from '../../../local/demo/sso.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { findLink } from '../../../shared/data/sso/links.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { findSignedInUser } from '../../../shared/sso/find-signed-in-user.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { anOrder } from '../../../tools/fixtures/orders.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { type Admin, adminTool, documentOf, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = Date.now();
const orgId = 'org_fans';
const provider = new IdentityProvider('https://login.example.com');
const identity = ['--issuer', provider.issuer, '--subject', 'auth0|ada'];
const named = ['--id', 'login', '--issuer', provider.issuer, '--audience', `${provider.audience},other`];
let table: Table;
let local: LocalRun;
let admin: Admin;
let userId: number;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => nowMs });
  await givenOrganisation(table, orgId);
  ({ userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', firstName: 'Ada' }));
});
afterAll(() => {
  table.client.destroy();
  local.remove();
});

const asJson = (...words: readonly string[]) => documentOf(admin, ...words);

async function failureOf(...words: readonly string[]) {
  const { exitCode, stderr } = await admin(...words, '--local', '--json');
  const { code, message } = JSON.parse(stderr).error;
  return { exitCode, code, message };
}

function keyFile(text = provider.jwks()): string {
  const file = join(local.folder, 'jwks.json');
  writeFileSync(file, text);
  return file;
}

const addInline = (...more: readonly string[]) =>
  asJson('sso', 'provider', 'add', orgId, ...named, '--jwks', keyFile(), '--algorithms', 'ES256', ...more);
const present = (token: string) => findSignedInUser(table, { orgId, token, nowMs: Date.now() });

describe('admin sso provider', () => {
  it('registers, lists and removes a provider, effective at the next request', async () => {
    const { changed, ...shown } = await addInline();
    expect({ changed, ...shown }).toEqual({
      changed: true,
      org_id: orgId,
      provider_id: 'login',
      issuer: provider.issuer,
      audiences: [provider.audience, 'other'],
      algorithms: ['ES256'],
      jwks_uri: null,
      key_ids: [provider.keys[0]?.kid],
      trust_email: false,
      created: Math.floor(nowMs / 1000),
    });
    expect((await asJson('sso', 'provider', 'list', orgId)).data).toEqual([shown]);
    expect((await present(provider.token('nobody'))).outcome).toBe('not_linked');
    await asJson('sso', 'provider', 'remove', orgId, 'login', '--yes');
    expect((await present(provider.token('nobody'))).outcome).toBe('invalid');
    expect(await asJson('sso', 'provider', 'remove', orgId, 'login', '--yes')).toMatchObject({ changed: false });
    expect(await failureOf('sso', 'provider', 'remove', 'org_nobody', 'login', '--yes')).toMatchObject({
      code: 'organisation_missing',
    });
  });

  it('registers a provider with --jwks-uri', async () => {
    const uri = 'https://login.example.com/jwks.json';
    const shown = await asJson('sso', 'provider', 'add', orgId, ...named, '--jwks-uri', uri);
    expect(shown).toMatchObject({ jwks_uri: uri, key_ids: null, algorithms: ['RS256'] });
  });

  it.each([
    ['--jwks with --jwks-uri', ['--jwks', 'x', '--jwks-uri', 'https://x.example'], 'either --jwks or --jwks-uri'],
    ['no keys', [], 'either --jwks or --jwks-uri'],
    ['keys over http', ['--jwks-uri', 'http://x.example/jwks'], 'an https address'],
    ['a file that does not exist', ['--jwks', '/no/such/file'], 'Cannot read /no/such/file'],
    ['an algorithm with a shared secret', ['--jwks-uri', 'https://x.example', '--algorithms', 'HS256'], 'RS256'],
  ])('refuses %s, and registers nothing', async (_case, options, message) => {
    const before = await asJson('sso', 'provider', 'list', orgId);
    const failure = await failureOf('sso', 'provider', 'add', orgId, ...named, ...options);
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
    expect(await asJson('sso', 'provider', 'list', orgId)).toEqual(before);
  });

  it('refuses keys that fit none of the algorithms, and an organisation that does not exist', async () => {
    const add = (...words: readonly string[]) => failureOf('sso', 'provider', 'add', ...words, ...named);
    expect(await add(orgId, '--jwks', keyFile())).toMatchObject({
      message: expect.stringContaining('none of its keys'),
    });
    expect(await add(orgId, '--jwks', keyFile('{}'))).toMatchObject({ message: expect.stringContaining('Key Set') });
    expect(await add('org_nobody', '--jwks-uri', 'https://x.example')).toMatchObject({ code: 'organisation_missing' });
  });

  it('lists its commands when no command is given', async () => {
    expect(await failureOf('sso', 'provider')).toMatchObject({ message: expect.stringContaining('add, list, remove') });
    expect((await admin('sso', 'provider', 'add', '--help')).stdout).toContain('--jwks-uri <url>');
  });
});

describe('admin sso link', () => {
  it('links a user to a customer until sso unlink', async () => {
    await addInline();
    const link = { org_id: orgId, issuer: provider.issuer, subject: 'auth0|ada', user_id: userId };
    expect(await asJson('sso', 'link', orgId, 'C-1', ...identity)).toMatchObject(link);
    expect(await asJson('sso', 'link', orgId, 'C-1', ...identity)).toMatchObject(link);
    expect(await present(provider.token('auth0|ada'))).toMatchObject({ outcome: 'linked', userId });
    expect((await asJson('sso', 'links', orgId, '--customer', 'C-1')).data).toMatchObject([{ user_id: userId }]);
    expect(await asJson('sso', 'unlink', orgId, ...identity, '--yes')).toMatchObject({ ...link, removed: true });
    expect(await asJson('sso', 'unlink', orgId, ...identity, '--yes')).toEqual({
      org_id: orgId,
      issuer: provider.issuer,
      subject: 'auth0|ada',
      removed: true,
      changed: false,
    });
    expect(await failureOf('sso', 'unlink', 'org_nobody', ...identity, '--yes')).toMatchObject({
      code: 'organisation_missing',
    });
    expect((await present(provider.token('auth0|ada'))).outcome).toBe('not_linked');
    expect((await asJson('sso', 'links', orgId)).data).toEqual([]);
  });

  it('refuses a missing customer, an unknown issuer, and a user that is linked to another customer', async () => {
    await addInline();
    await givenCustomer(table, orgId, { orgCustomerId: 'C-2', firstName: 'Grace' });
    await asJson('sso', 'link', orgId, 'C-2', ...identity);
    expect(await failureOf('sso', 'link', orgId, 'C-1', ...identity)).toMatchObject({ code: 'linked_elsewhere' });
    expect(await failureOf('sso', 'link', orgId, 'C-9', ...identity)).toMatchObject({ code: 'customer_missing' });
    const typo = ['--issuer', `${provider.issuer}/`, '--subject', 'auth0|ada'];
    expect(await failureOf('sso', 'link', orgId, 'C-1', ...typo)).toMatchObject({ code: 'provider_missing' });
  });

  it('is part of customer export and customer erase', async () => {
    await addInline();
    await givenCustomer(table, orgId, { orgCustomerId: 'C-3', firstName: 'Mary' });
    const mary = ['--issuer', provider.issuer, '--subject', 'mary'];
    await asJson('sso', 'link', orgId, 'C-3', ...mary);
    expect((await asJson('customer', 'export', orgId, 'C-3')).sso_links).toMatchObject([{ subject: 'mary' }]);
    expect((await asJson('customer', 'erase', orgId, 'C-3', '--yes')).erased.sso_links).toBe(1);
    expect(await findLink(table, orgId, { issuer: provider.issuer, subject: 'mary' })).toBeUndefined();
  });
});

describe('admin sso token', () => {
  it('creates tokens for the linked and the unlinked demo user, with --local only', async () => {
    expect(await failureOf('sso', 'token')).toMatchObject({ code: 'not_running' });
    const buyer = await givenCustomer(table, orgId, { orgCustomerId: 'C-9', firstName: 'Grace' });
    await writeOrder(table, orgId, anOrder({ userId: buyer.userId }));
    const demo = await seedDemoSso(table, orgId, Math.floor(nowMs / 1000));
    writeFileSync(join(dirname(local.file), demoSsoFile), JSON.stringify(demo));
    const { token } = await asJson('sso', 'token');
    expect(await present(token)).toMatchObject({ outcome: 'linked', userId: buyer.userId });
    const { stdout } = await admin('sso', 'token', '--local', '--user', 'unlinked');
    expect((await present(stdout)).outcome).toBe('not_linked');
    expect((await admin('sso', 'token')).exitCode).toBe(2);
  });

  it('is refused after the next start, which has another key; the link stays', async () => {
    const { token } = await asJson('sso', 'token');
    const next = await seedDemoSso(table, orgId, Math.floor(nowMs / 1000) + 1);
    expect((await present(token)).outcome).toBe('invalid');
    writeFileSync(join(dirname(local.file), demoSsoFile), JSON.stringify(next));
    expect((await present((await asJson('sso', 'token')).token)).outcome).toBe('linked');
  });
});
