import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TableModel } from '../../../local/cloud/dynamodb/model/table-model.ts';
import { findLink, readLinks, removeLink, saveLink } from '../../../shared/data/sso/links.ts';
import { removeProvider, saveProvider } from '../../../shared/data/sso/providers.ts';
import { tableSchema } from '../../../shared/data/table/schema.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { ssoAlgorithms } from '../../../shared/domain/sso/provider.ts';
import { findSignedInUser } from '../../../shared/sso/find-signed-in-user.ts';
import { KeySetCache } from '../../../shared/sso/key-set-cache.ts';
import { aSigningKey, bytesOf, IdentityProvider, type TokenChanges } from '../../../tools/fixtures/sso.ts';
import { modelTable } from '../../support/model-table.ts';
import { createTestTable } from '../../support/table.ts';

const issuer = 'https://login.example.com/club';
const nowUnix = () => Math.floor(Date.now() / 1000);
let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** An organisation with one provider, at which `ada` is linked to customer 7. */
async function givenClub(provider = new IdentityProvider(issuer)) {
  organisations += 1;
  const orgId = `org_sso${organisations}`;
  await saveProvider(table, orgId, provider.asProvider());
  await saveLink(table, orgId, { issuer, subject: 'ada', userId: 7, linkedUnix: 1 });
  const present = (token: string, keySets?: KeySetCache) =>
    findSignedInUser(table, { orgId, token, nowMs: Date.now() }, keySets);
  const outcome = async (changes: TokenChanges = {}, subject = 'ada') =>
    (await present(provider.token(subject, changes))).outcome;
  return { orgId, provider, present, outcome };
}

describe('SSO token', () => {
  it('an SSO token identifies the customer that its user is linked to', async () => {
    const { present, provider } = await givenClub();
    expect(await present(provider.token('ada'))).toMatchObject({ outcome: 'linked', userId: 7 });
  });

  it('an SSO token of an unlinked user is valid but identifies no customer', async () => {
    const { outcome } = await givenClub();
    expect(await outcome({}, 'grace')).toBe('not_linked');
    expect(await outcome({}, 'x'.repeat(2_000))).toBe('not_linked');
  });

  it.each(ssoAlgorithms)(
    'an SSO token may be signed with %s, if the provider was registered with it',
    async (algorithm) => {
      const { outcome, orgId, provider } = await givenClub(new IdentityProvider(issuer, algorithm));
      expect(await outcome()).toBe('linked');
      const others = ssoAlgorithms.filter((other) => other !== algorithm);
      await saveProvider(table, orgId, provider.asProvider({ algorithms: others }));
      expect(await outcome()).toBe('invalid');
    },
  );

  it.each<[string, TokenChanges]>([
    ['expired', { claims: { exp: nowUnix() - 1 } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['not valid yet', { claims: { nbf: nowUnix() + 300 } }],
    ['for another application', { claims: { aud: 'another-app' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another issuer', { claims: { iss: 'https://login.example.com/other' } }],
    ['of an issuer that only looks the same', { claims: { iss: `${issuer}/` } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['without a key id', { header: { kid: undefined } }],
    ['with a key id that the provider does not have', { header: { kid: 'another' } }],
    ['signed with another key', { key: aSigningKey() }],
    ['declared as unsigned', { header: { alg: 'none' } }],
    ['with a critical extension (crit)', { header: { crit: ['exp'] } }],
    ['declared with a shared-secret algorithm', { header: { alg: 'HS256' } }],
    ['declared with another algorithm than that of its key', { header: { alg: 'RS256' } }],
  ])('an SSO token is refused when it is %s', async (_case, changes) => {
    const { outcome } = await givenClub();
    expect(await outcome(changes)).toBe('invalid');
  });

  it('an SSO token is refused when another key signs with the key id of the provider', async () => {
    const { outcome, provider } = await givenClub();
    expect(await outcome({ key: { ...aSigningKey(), kid: provider.keys[0]?.kid ?? '' } })).toBe('invalid');
  });

  it('an SSO token is refused when one character of it was changed', async () => {
    const { present, provider } = await givenClub();
    const token = provider.token('ada');
    // The last character contains bits that no byte of the signature uses.
    for (let index = 0; index < token.length - 1; index += 7) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      expect((await present(changed)).outcome, changed).toBe('invalid');
    }
  });

  it('an SSO token is refused when it is signed with the public key as a shared secret', async () => {
    const { present, provider } = await givenClub(new IdentityProvider(issuer, 'RS256'));
    const [key] = provider.keys;
    const input = provider
      .token('ada', { header: { alg: 'HS256' } })
      .split('.')
      .slice(0, 2)
      .join('.');
    const secret = key?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '';
    const forged = createHmac('sha256', secret).update(input).digest('base64url');
    expect((await present(`${input}.${forged}`)).outcome).toBe('invalid');
  });

  it.each(['', 'a', 'a.b', 'a.b.c', 'e30.e30.e30', '...', 'bnVsbA.bnVsbA.AA', 'x y', '\u0000', 'a'.repeat(9_000)])(
    'an SSO token of %j is invalid',
    async (text) => {
      const { present } = await givenClub();
      expect((await present(text)).outcome).toBe('invalid');
    },
  );
});

describe('keys of an SSO provider', () => {
  it('SSO provider keys can be replaced, and tokens signed with the old key are valid while it is registered', async () => {
    const { orgId, outcome, provider } = await givenClub();
    const [old] = provider.keys;
    provider.rotate();
    expect(await outcome()).toBe('invalid');
    await saveProvider(table, orgId, provider.asProvider());
    expect([await outcome(), await outcome({ ...(old && { key: old }) })]).toEqual(['linked', 'linked']);
    provider.dropOldKeys();
    await saveProvider(table, orgId, provider.asProvider());
    expect([await outcome(), await outcome({ ...(old && { key: old }) })]).toEqual(['linked', 'invalid']);
  });

  it('SSO provider keys can be fetched, and are fetched again after a rotation', async () => {
    const { orgId, provider, present } = await givenClub();
    const keySets = new KeySetCache({ fetch: async () => bytesOf(provider.jwks()) });
    const uri = 'https://login.example.com/keys';
    await saveProvider(table, orgId, provider.asProvider({ keys: { kind: 'fetched', uri } }));
    expect((await present(provider.token('ada'), keySets)).outcome).toBe('linked');
    provider.rotate();
    const later = { orgId, token: provider.token('ada'), nowMs: Date.now() + 20_000 };
    expect((await findSignedInUser(table, later, keySets)).outcome).toBe('linked');
  });

  it('an SSO token has the outcome provider_unavailable while the provider keys cannot be fetched', async () => {
    const { orgId, provider, present } = await givenClub();
    const keySets = new KeySetCache({ fetch: () => Promise.reject(new Error('down')) });
    await saveProvider(table, orgId, provider.asProvider({ keys: { kind: 'fetched', uri: 'https://x.example/keys' } }));
    expect((await present(provider.token('ada'), keySets)).outcome).toBe('provider_unavailable');
  });
});

describe('SSO providers of several organisations', () => {
  it('organisations that share an SSO provider do not share its links', async () => {
    const provider = new IdentityProvider(issuer);
    const [one, other] = [await givenClub(provider), await givenClub(provider)];
    await removeLink(table, other.orgId, { issuer, subject: 'ada' });
    expect([await one.outcome(), await other.outcome()]).toEqual(['linked', 'not_linked']);
    await saveLink(table, other.orgId, { issuer, subject: 'ada', userId: 8, linkedUnix: 1 });
    expect(await other.present(provider.token('ada'))).toMatchObject({ outcome: 'linked', userId: 8 });
    expect(await one.present(provider.token('ada'))).toMatchObject({ outcome: 'linked', userId: 7 });
  });

  it("organisations with two providers of the same issuer do not accept tokens of the other's provider", async () => {
    const [one, other] = [await givenClub(), await givenClub()];
    expect((await one.present(other.provider.token('ada'))).outcome).toBe('invalid');
  });

  it('an organisation may have several SSO providers, also of one issuer, and a removed one is refused at the next request', async () => {
    const { orgId, present, provider } = await givenClub();
    const second = new IdentityProvider(issuer);
    await saveProvider(table, orgId, second.asProvider({ providerId: 'second' }));
    const outcomes = async () => [
      (await present(provider.token('ada'))).outcome,
      (await present(second.token('ada'))).outcome,
    ];
    expect(await outcomes()).toEqual(['linked', 'linked']);
    expect(await removeProvider(table, orgId, 'login')).toBe('removed');
    expect(await outcomes()).toEqual(['invalid', 'linked']);
    expect(await removeProvider(table, orgId, 'login')).toBe('missing');
  });
});

describe('SSO links', () => {
  it('an SSO link belongs to one customer until it is removed', async () => {
    const { orgId } = await givenClub();
    const link = { issuer, subject: 'ada', userId: 7, linkedUnix: 2 };
    expect((await saveLink(table, orgId, link)).outcome).toBe('linked_before');
    expect(await saveLink(table, orgId, { ...link, userId: 9 })).toMatchObject({
      outcome: 'linked_elsewhere',
      link: { userId: 7 },
    });
    expect(await removeLink(table, orgId, link)).toMatchObject({ userId: 7 });
    expect(await removeLink(table, orgId, link)).toBeUndefined();
    expect((await saveLink(table, orgId, { ...link, userId: 9 })).outcome).toBe('linked');
  });

  it('an SSO link is found by its customer, whatever the subject of its user', async () => {
    const { orgId } = await givenClub();
    const subjects = ['auth0|5f7c', 'a#b', 'ü'.repeat(255), 'L#x', '语'.repeat(255)];
    for (const subject of subjects) await saveLink(table, orgId, { issuer, subject, userId: 9, linkedUnix: 1 });
    expect((await readLinks(table, orgId, 9)).map(({ subject }) => subject).sort()).toEqual(subjects.sort());
    expect(await readLinks(table, orgId)).toHaveLength(subjects.length + 1);
    expect(await findLink(table, orgId, { issuer, subject: 'a' })).toBeUndefined();
  });

  it('the SSO links of a customer are found although the indexes of the table lag', async () => {
    const model = new TableModel(tableSchema, () => 0);
    model.storage.updateIndex = () => {};
    const lagging = modelTable(model);
    for (const [subject, userId] of [
      ['ada', 7],
      ['grace', 8],
    ] as const)
      await saveLink(lagging, 'org_lagging', { issuer, subject, userId, linkedUnix: 1 });
    expect(await readLinks(lagging, 'org_lagging', 7)).toMatchObject([{ subject: 'ada' }]);
  });
});
