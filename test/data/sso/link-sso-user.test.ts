import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handle as link } from '../../../functions/api/sso/link-sso-user.ts';
import { handle as unlink } from '../../../functions/api/sso/unlink-sso-user.ts';
import { findLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { linkSsoUser } from '../../../shared/operations/sso/link-sso-user.ts';
import { unlinkSsoUser } from '../../../shared/operations/sso/unlink-sso-user.ts';
import { log } from '../../../shared/platform/log.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = 1_760_000_000_000;
const linked_at = nowMs / 1000;
const trusted = new IdentityProvider('https://login.example.com');
const untrusted = new IdentityProvider('https://social.example.com');
let table: Table;
let orgId: string;
let clubs = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Each test has its own organisation, with a provider whose email addresses are trusted and one whose are not. */
beforeEach(async () => {
  clubs += 1;
  orgId = `org_link${clubs}`;
  await saveProvider(table, orgId, trusted.asProvider({ providerId: 'login', trustsEmail: true }));
  await saveProvider(table, orgId, untrusted.asProvider({ providerId: 'social' }));
});

const fanToken = (email: unknown, email_verified: unknown = true, subject = 'ada') =>
  trusted.token(subject, { claims: { email, email_verified } });

const asServer = (body: Record<string, unknown>, ssoToken = trusted.token('ada')) =>
  callHandler(linkSsoUser, link, { body }, { table, orgId, nowMs, ssoToken });
const asPage = (ssoToken: string, body: Record<string, unknown> = {}) =>
  callHandler(linkSsoUser, link, { body }, { table, orgId, nowMs, ssoToken, kind: 'storefront' });
const unlinkAda = (ssoToken = trusted.token('ada')) =>
  callHandler(unlinkSsoUser, unlink, {}, { table, orgId, nowMs, ssoToken, kind: 'storefront' });
const linkOf = (subject: string, issuer = trusted.issuer) => findLink(table, orgId, { issuer, subject });
const problem = (status: number, code: string, param: string | null = null) =>
  expect.objectContaining({ status, details: [expect.objectContaining({ code, param })] });

describe('link-sso-user with an API key', () => {
  it('links the fan to the customer with the user_id or the org_customer_id, once', async () => {
    const ada = await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    const expected = { issuer: trusted.issuer, subject: 'ada', linked: true, user_id: ada.userId, linked_at };
    expect(await asServer({ user_id: String(ada.userId) })).toEqual(expected);
    expect(await asServer({ org_customer_id: 'C-1' })).toEqual(expected);
    expect(await linkOf('ada')).toMatchObject({ userId: ada.userId });
  });

  it('refuses a fan who is linked to another customer, and keeps that link', async () => {
    const ada = await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    await givenCustomer(table, orgId, { orgCustomerId: 'C-2' });
    await asServer({ org_customer_id: 'C-1' });
    await expect(asServer({ org_customer_id: 'C-2' })).rejects.toEqual(problem(409, 'sso_already_linked'));
    expect(await linkOf('ada')).toMatchObject({ userId: ada.userId });
  });

  it.each([
    ['no customer', {}, 'parameter_missing', 'user_id'],
    ['two customers', { user_id: 7, org_customer_id: 'C-1' }, 'parameter_conflict', 'org_customer_id'],
    ['an unknown user_id', { user_id: 7 }, 'resource_missing', 'user_id'],
    ['a user_id that is not a number', { user_id: 'x' }, 'resource_missing', 'user_id'],
    ['an unknown org_customer_id', { org_customer_id: 'C-9' }, 'resource_missing', 'org_customer_id'],
  ])('refuses %s and links nothing', async (_case, body, code, param) => {
    await expect(asServer(body)).rejects.toEqual(problem(400, code, param));
    expect(await linkOf('ada')).toBeUndefined();
  });

  it('does not find the customer of another organisation', async () => {
    const { userId } = await givenCustomer(table, 'org_other', { orgCustomerId: 'C-1' });
    await expect(asServer({ user_id: userId })).rejects.toEqual(problem(400, 'resource_missing', 'user_id'));
    await expect(asServer({ org_customer_id: 'C-1' })).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('refuses a token of another organisation or of a provider that was replaced', async () => {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    const elsewhere = new IdentityProvider('https://login.other.example');
    const impostor = new IdentityProvider(trusted.issuer);
    const replayed = trusted.token('ada', { claims: { aud: 'another-app' } });
    for (const token of [elsewhere.token('ada'), impostor.token('ada'), replayed]) {
      await expect(asServer({ user_id: userId }, token)).rejects.toEqual(problem(401, 'sso_token_invalid'));
    }
    expect(await linkOf('ada')).toBeUndefined();
  });

  it('refuses a subject that is too long to be stored', async () => {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    const token = trusted.token('x'.repeat(256));
    await expect(asServer({ user_id: userId }, token)).rejects.toEqual(
      problem(400, 'parameter_invalid', 'X-SSO-Token'),
    );
  });
});

describe('link-sso-user with a storefront token', () => {
  it('links the fan to the only customer with the verified address, whatever its case', async () => {
    const ada = await givenCustomer(table, orgId, { emailAddress: 'Ada@Example.com' });
    await givenCustomer(table, orgId, { emailAddress: 'bada@example.com' });
    const expected = { linked: true, user_id: ada.userId, linked_at };
    expect(await asPage(fanToken('aDA@example.COM'))).toMatchObject(expected);
    expect(await asPage(fanToken('aDA@example.COM'))).toMatchObject(expected);
  });

  it('returns the existing link, also if the address of the token has changed', async () => {
    const ada = await givenCustomer(table, orgId, { emailAddress: 'ada@example.com' });
    await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    await asPage(fanToken('ada@example.com'));
    expect(await asPage(fanToken('grace@example.com'))).toMatchObject({ user_id: ada.userId });
    expect(await asPage(fanToken('grace@example.com', false))).toMatchObject({ user_id: ada.userId });
  });

  it.each([
    ['is not verified', fanToken('ada@example.com', false)],
    ['is verified in words only', fanToken('ada@example.com', 'true')],
    ['is missing', fanToken(undefined)],
    ['is not a text', fanToken(['ada@example.com'])],
    [
      'comes from a provider that is not trusted with addresses',
      untrusted.token('ada', { claims: { email: 'ada@example.com', email_verified: true } }),
    ],
  ])('refuses a token whose address %s', async (_case, token) => {
    await givenCustomer(table, orgId, { emailAddress: 'ada@example.com' });
    await expect(asPage(token)).rejects.toEqual(problem(403, 'sso_email_not_verified'));
    expect(await linkOf('ada')).toBeUndefined();
    expect(await linkOf('ada', untrusted.issuer)).toBeUndefined();
  });

  it('refuses an address that two customers share', async () => {
    for (const emailAddress of ['ada@example.com', 'ADA@example.com'])
      await givenCustomer(table, orgId, { emailAddress });
    await expect(asPage(fanToken('ada@example.com'))).rejects.toEqual(problem(409, 'sso_link_ambiguous'));
    expect(await linkOf('ada')).toBeUndefined();
  });

  it.each([
    ['with another letter that only looks the same (Kelvin sign)', '\u212Aate@example.com'],
    ['with an accent', 'k\u00E1te@example.com'],
    ['in full-width letters', '\uFF4Bate@example.com'],
    ['with a space', ' kate@example.com'],
    ['with a label', 'kate+club@example.com'],
    ['without a dot', 'k.ate@example.com'],
  ])('does not take an address %s for the same address', async (_case, address) => {
    await givenCustomer(table, orgId, { emailAddress: 'kate@example.com' });
    await expect(asPage(fanToken(address))).rejects.toEqual(problem(409, 'sso_customer_missing'));
  });

  it('does not find a customer of another organisation', async () => {
    await givenCustomer(table, 'org_other', { emailAddress: 'only.there@example.com' });
    await expect(asPage(fanToken('only.there@example.com'))).rejects.toEqual(problem(409, 'sso_customer_missing'));
  });

  it('refuses a body: a page cannot name the customer', async () => {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'ada@example.com' });
    const token = fanToken('ada@example.com');
    await expect(asPage(token, { user_id: userId })).rejects.toEqual(problem(400, 'parameter_unknown', 'user_id'));
    await expect(asPage(token, { org_customer_id: 'C-1' })).rejects.toEqual(
      problem(400, 'parameter_unknown', 'org_customer_id'),
    );
    expect(await linkOf('ada')).toBeUndefined();
  });

  it('two concurrent requests result in one link', async () => {
    const { userId } = await givenCustomer(table, orgId, { emailAddress: 'ada@example.com' });
    const token = fanToken('ada@example.com');
    const links = await Promise.all([asPage(token), asPage(token)]);
    expect(links).toMatchObject([{ user_id: userId }, { user_id: userId }]);
  });
});

describe('unlink-sso-user', () => {
  it('removes the link of the fan and no other, and can be repeated', async () => {
    await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    await asServer({ org_customer_id: 'C-1' });
    await asServer({ org_customer_id: 'C-1' }, trusted.token('grace'));
    const unlinked = { issuer: trusted.issuer, subject: 'ada', linked: false, user_id: null, linked_at: null };
    expect(await unlinkAda()).toEqual(unlinked);
    expect(await unlinkAda()).toEqual(unlinked);
    expect([await linkOf('ada'), await linkOf('grace')]).toMatchObject([undefined, {}]);
    await expect(unlinkAda(`${trusted.token('grace')}x`)).rejects.toEqual(problem(401, 'sso_token_invalid'));
  });
});

describe('log of links', () => {
  it('names who linked and unlinked whom, once for each change', async () => {
    const entries: unknown[] = [];
    const spy = vi.spyOn(log, 'info').mockImplementation((message, fields) => void entries.push([message, fields]));
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
    await asServer({ org_customer_id: 'C-1' });
    await asServer({ org_customer_id: 'C-1' });
    await unlinkAda();
    await unlinkAda();
    spy.mockRestore();
    const about = { org_id: orgId, key_id: '1', provider: 'login', issuer: trusted.issuer, subject: 'ada' };
    expect(entries).toEqual([
      ['SSO user linked', { ...about, user_id: userId }],
      ['SSO user unlinked', { ...about, user_id: userId }],
    ]);
  });
});
