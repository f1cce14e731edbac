import { beforeAll, describe, expect, it } from 'vitest';
import { listKeys, revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import { countAttribute } from '../../../shared/data/auth/auth-item.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex } from '../../../shared/domain/auth/rate-windows.ts';
import { testSigner } from '../../../tools/fixtures/signing-key.ts';
import { apiKeyFixture, dayMs, hourMs, noon, noonUnix } from '../../support/api-keys.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let fixture: ReturnType<typeof apiKeyFixture>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  fixture = apiKeyFixture(table);
});

describe('issuing an API key', () => {
  it('an issued API key is admitted with its scopes, and everything except its text is stored', async () => {
    const orgId = await fixture.givenClub();
    const { keyId, text } = await fixture.givenKey(orgId);
    expect(keyId).toBe('1');
    expect(await fixture.admitOnce(text, noon)).toBe('admitted');
    const [key] = await fixture.keysOf(orgId);
    expect(key).toEqual({
      orgId,
      keyId: '1',
      label: 'website',
      mode: 'live',
      scopes: ['read', 'sso'],
      createdUnix: noonUnix,
      lifetimeSeconds: null,
      expiresUnix: null,
      revokedUnix: null,
      rotatedFrom: null,
      rotatedTo: null,
      signer: testSigner.id,
      ending: text.slice(-4),
      lastUsedUnix: noonUnix,
    });
    expect(JSON.stringify([key, await fixture.authItemOf(orgId)])).not.toContain(text.slice(0, -7));
  });

  it('an API key is refused as expired from the second of its expiry', async () => {
    const { text } = await fixture.givenKey(await fixture.givenClub(), { expiresUnix: noonUnix + 60 });
    expect(await fixture.admitOnce(text, noon + 59_999)).toBe('admitted');
    expect(await fixture.admitOnce(text, noon + 60_000)).toBe('expired');
  });

  it('API key commands refuse an organisation that does not exist', async () => {
    expect(await fixture.issue('org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await listKeys(table, 'org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await fixture.rotate('org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await revokeKey(table, { orgId: 'org_nobody', keyId: '1', nowMs: noon })).toEqual({
      outcome: 'organisation_missing',
    });
  });
});

describe('limit of 20 live API keys', () => {
  it('the API key limit is exact when 30 keys are issued concurrently, and each id is used once', async () => {
    const orgId = await fixture.givenClub();
    const results = await Promise.all(Array.from({ length: 30 }, () => fixture.issue(orgId)));
    const issued = results.filter((result) => result.outcome === 'issued');
    expect(issued).toHaveLength(20);
    expect(results.filter((result) => result.outcome === 'limit_reached')).toHaveLength(10);
    expect(new Set(issued.map(({ key }) => key.keyId)).size).toBe(20);
    expect(await fixture.keysOf(orgId)).toHaveLength(20);
    expect(await fixture.storedKeyIds(orgId)).toHaveLength(20);
    expect(await Promise.all(issued.map(({ text }) => fixture.admitOnce(text, noon)))).toEqual(
      Array(20).fill('admitted'),
    );
  });

  it('the API key limit ignores revoked and expired keys, and expired keys leave the auth item after a month', async () => {
    const orgId = await fixture.givenClub();
    const first = await fixture.givenKey(orgId, { expiresUnix: noonUnix + 60 });
    for (let count = 1; count < 20; count += 1) await fixture.givenKey(orgId);
    await fixture.admitOnce(first.text, noon);
    expect(await fixture.issue(orgId, { nowMs: noon + 59_999 })).toEqual({ outcome: 'limit_reached' });

    expect(await fixture.issue(orgId, { nowMs: noon + 60_000 })).toMatchObject({ outcome: 'issued' });
    expect(await fixture.admitOnce(first.text, noon + 60_000)).toBe('expired');

    expect(await fixture.issue(orgId, { nowMs: noon + 60_000 })).toEqual({ outcome: 'limit_reached' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await fixture.issue(orgId, { nowMs: noon + 60_000 })).toMatchObject({ outcome: 'issued' });

    await revokeKey(table, { orgId, keyId: '3', nowMs: noon + 31 * 86_400_000 });
    expect(await fixture.storedKeyIds(orgId)).not.toContain(first.keyId);
    expect((await fixture.keysOf(orgId))[0]).toMatchObject({ keyId: '1', revokedUnix: null, lastUsedUnix: noonUnix });
  });

  it('the API key limit counts both keys of an overlapping rotation, but allows an immediate replacement', async () => {
    const orgId = await fixture.givenClub();
    for (let count = 0; count < 20; count += 1) await fixture.givenKey(orgId);
    expect(await fixture.rotate(orgId)).toEqual({ outcome: 'limit_reached' });
    expect(await fixture.rotate(orgId, { overlapSeconds: 0 })).toMatchObject({ outcome: 'rotated' });
    expect(await fixture.storedKeyIds(orgId)).toHaveLength(20);
  });
});

it('API key ids continue through the alphabet and are never reused', async () => {
  const orgId = await fixture.givenClub();
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    const { keyId, text } = await fixture.givenKey(orgId);
    expect(await fixture.admitOnce(text, noon)).toBe('admitted');
    await revokeKey(table, { orgId, keyId, nowMs: noon });
    ids.push(keyId);
  }
  expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1).toString(36)));
  expect((await fixture.keysOf(orgId)).map(({ keyId }) => keyId)).toEqual(ids);
  const today = countAttribute('organisation_day', '', windowIndex('organisation_day', noon));
  expect(Object.keys(await fixture.authItemOf(orgId)).sort()).toEqual(['issued', 'pk', 'sk', 'version', today].sort());
});

describe('revoking an API key', () => {
  it('a revoked API key is unknown at its next request, and leaves nothing in the auth item', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId, { expiresUnix: noonUnix + 86_400 });
    const other = await fixture.givenKey(orgId);
    for (const minutes of [0, 1, 5]) await fixture.admitOnce(text, noon + minutes * 60_000);
    const nowMs = noon + 7 * 60_000;
    const lastUsedUnix = noonUnix + 300;
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs })).toMatchObject({
      outcome: 'revoked',
      key: { revokedUnix: nowMs / 1000, lastUsedUnix },
    });
    expect(await fixture.admitOnce(text, nowMs)).toBe('unknown');
    expect(await fixture.admitOnce(other.text, nowMs)).toBe('admitted');
    expect(
      Object.keys(await fixture.authItemOf(orgId)).filter((attribute) => /^([hax]1|[md]1_.*)$/.test(attribute)),
    ).toEqual([]);
    expect((await fixture.keysOf(orgId))[0]).toMatchObject({ keyId: '1', revokedUnix: nowMs / 1000, lastUsedUnix });
  });

  it('revoking an API key again is allowed, also after it expired and left the auth item', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId, { expiresUnix: noonUnix + 60 });
    await fixture.admitOnce(text, noon);
    await fixture.givenKey(orgId, { nowMs: noon + hourMs });
    const nowMs = noon + 2 * hourMs;
    const key = { keyId: '1', revokedUnix: nowMs / 1000, lastUsedUnix: noonUnix };
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs })).toMatchObject({ outcome: 'revoked', key });
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: nowMs + 1000 })).toMatchObject({
      outcome: 'already_revoked',
      key,
    });
    expect(await revokeKey(table, { orgId, keyId: '9', nowMs })).toEqual({ outcome: 'key_missing' });
  });

  it('revoking an API key keeps a use that was counted between its read and its write', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId);
    await fixture.admitOnce(text, noon - hourMs);
    const busy = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await fixture.admitOnce(text, noon + 1_000);
      await send();
    });
    await revokeKey(busy, { orgId, keyId: '1', nowMs: noon });
    expect((await fixture.keysOf(orgId))[0]).toMatchObject({ lastUsedUnix: noonUnix });
    expect(Object.keys(await fixture.authItemOf(orgId)).filter((attribute) => /^[md]1_/.test(attribute))).toEqual([]);
  });
});

it('last use of an API key is the minute of the newest request, and null before the first', async () => {
  const orgId = await fixture.givenClub();
  const { text } = await fixture.givenKey(orgId);
  expect(await fixture.keysOf(orgId)).toMatchObject([{ lastUsedUnix: null }]);
  await fixture.admitOnce(text, noon + 61_500);
  expect(await fixture.keysOf(orgId)).toMatchObject([{ lastUsedUnix: noonUnix + 60 }]);
  await fixture.admitOnce(text, noon + 3 * dayMs);
  expect(await fixture.keysOf(orgId)).toMatchObject([{ lastUsedUnix: noonUnix + 3 * 86_400 }]);
});
