import { beforeAll, describe, expect, it } from 'vitest';
import { listKeys, revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import { countAttribute } from '../../../shared/data/auth/auth-item.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex } from '../../../shared/domain/auth/rate-windows.ts';
import { dayMs, hourMs, keyring, noon, noonUnix } from '../../support/api-keys.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let ring: ReturnType<typeof keyring>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  ring = keyring(table);
});

describe('an issued key', () => {
  it('is let in with its scopes and known by all but its text', async () => {
    const orgId = await ring.givenClub();
    const { keyId, text } = await ring.givenKey(orgId);
    expect(keyId).toBe('1');
    expect(await ring.knock(text, noon)).toBe('admitted');
    const [key] = await ring.keysOf(orgId);
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
      ending: text.slice(-4),
      lastUsedUnix: noonUnix,
    });
    expect(JSON.stringify([key, await ring.doorOf(orgId)])).not.toContain(text.slice(0, -7));
  });

  it('is refused as expired from its expiry on', async () => {
    const { text } = await ring.givenKey(await ring.givenClub(), { expiresUnix: noonUnix + 60 });
    expect(await ring.knock(text, noon + 59_999)).toBe('admitted');
    expect(await ring.knock(text, noon + 60_000)).toBe('expired');
  });

  it('needs an organisation', async () => {
    expect(await ring.issue('org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await listKeys(table, 'org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await ring.rotate('org_nobody')).toEqual({ outcome: 'organisation_missing' });
    expect(await revokeKey(table, { orgId: 'org_nobody', keyId: '1', nowMs: noon })).toEqual({
      outcome: 'organisation_missing',
    });
  });
});

describe('the limit of 20 live keys', () => {
  it('is exact when 30 are issued at once, and each id is given out once', async () => {
    const orgId = await ring.givenClub();
    const results = await Promise.all(Array.from({ length: 30 }, () => ring.issue(orgId)));
    const issued = results.filter((result) => result.outcome === 'issued');
    expect(issued).toHaveLength(20);
    expect(results.filter((result) => result.outcome === 'limit_reached')).toHaveLength(10);
    expect(new Set(issued.map(({ key }) => key.keyId)).size).toBe(20);
    expect(await ring.keysOf(orgId)).toHaveLength(20);
    expect(await ring.heldBy(orgId)).toHaveLength(20);
    expect(await Promise.all(issued.map(({ text }) => ring.knock(text, noon)))).toEqual(Array(20).fill('admitted'));
  });

  it('counts neither revoked nor expired keys, and expired ones leave the door after a month', async () => {
    const orgId = await ring.givenClub();
    const first = await ring.givenKey(orgId, { expiresUnix: noonUnix + 60 });
    for (let count = 1; count < 20; count += 1) await ring.givenKey(orgId);
    await ring.knock(first.text, noon);
    expect(await ring.issue(orgId, { nowMs: noon + 59_999 })).toEqual({ outcome: 'limit_reached' });

    expect(await ring.issue(orgId, { nowMs: noon + 60_000 })).toMatchObject({ outcome: 'issued' });
    expect(await ring.knock(first.text, noon + 60_000)).toBe('expired');

    expect(await ring.issue(orgId, { nowMs: noon + 60_000 })).toEqual({ outcome: 'limit_reached' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await ring.issue(orgId, { nowMs: noon + 60_000 })).toMatchObject({ outcome: 'issued' });

    await revokeKey(table, { orgId, keyId: '3', nowMs: noon + 31 * 86_400_000 });
    expect(await ring.heldBy(orgId)).not.toContain(first.keyId);
    expect((await ring.keysOf(orgId))[0]).toMatchObject({ keyId: '1', revokedUnix: null, lastUsedUnix: noonUnix });
  });

  it('counts both keys of an overlapping rotation, but lets one be replaced at once', async () => {
    const orgId = await ring.givenClub();
    for (let count = 0; count < 20; count += 1) await ring.givenKey(orgId);
    expect(await ring.rotate(orgId)).toEqual({ outcome: 'limit_reached' });
    expect(await ring.rotate(orgId, { overlapSeconds: 0 })).toMatchObject({ outcome: 'rotated' });
    expect(await ring.heldBy(orgId)).toHaveLength(20);
  });
});

it('key ids go on through the alphabet and are never used again', async () => {
  const orgId = await ring.givenClub();
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    const { keyId, text } = await ring.givenKey(orgId);
    expect(await ring.knock(text, noon)).toBe('admitted');
    await revokeKey(table, { orgId, keyId, nowMs: noon });
    ids.push(keyId);
  }
  expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1).toString(36)));
  expect((await ring.keysOf(orgId)).map(({ keyId }) => keyId)).toEqual(ids);
  const today = countAttribute('organisation_day', '', windowIndex('organisation_day', noon));
  expect(Object.keys(await ring.doorOf(orgId)).sort()).toEqual(['issued', 'pk', 'sk', 'version', today].sort());
});

describe('a revoked key', () => {
  it('is unknown at its next request, and nothing of it stays at the door', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId, { expiresUnix: noonUnix + 86_400 });
    const other = await ring.givenKey(orgId);
    for (const minutes of [0, 1, 5]) await ring.knock(text, noon + minutes * 60_000);
    const nowMs = noon + 7 * 60_000;
    const lastUsedUnix = noonUnix + 300;
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs })).toMatchObject({
      outcome: 'revoked',
      key: { revokedUnix: nowMs / 1000, lastUsedUnix },
    });
    expect(await ring.knock(text, nowMs)).toBe('unknown');
    expect(await ring.knock(other.text, nowMs)).toBe('admitted');
    expect(Object.keys(await ring.doorOf(orgId)).filter((attribute) => /^([hax]1|[md]1_.*)$/.test(attribute))).toEqual(
      [],
    );
    expect((await ring.keysOf(orgId))[0]).toMatchObject({ keyId: '1', revokedUnix: nowMs / 1000, lastUsedUnix });
  });

  it('may be revoked again, and an expired one too, also after it left the door', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId, { expiresUnix: noonUnix + 60 });
    await ring.knock(text, noon);
    await ring.givenKey(orgId, { nowMs: noon + hourMs });
    const nowMs = noon + 2 * hourMs;
    const key = { keyId: '1', revokedUnix: nowMs / 1000, lastUsedUnix: noonUnix };
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs })).toMatchObject({ outcome: 'revoked', key });
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: nowMs + 1000 })).toMatchObject({
      outcome: 'already_revoked',
      key,
    });
    expect(await revokeKey(table, { orgId, keyId: '9', nowMs })).toEqual({ outcome: 'key_missing' });
  });

  it('takes along a use that was counted between reading and writing', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId);
    await ring.knock(text, noon - hourMs);
    const busy = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await ring.knock(text, noon + 1_000);
      await send();
    });
    await revokeKey(busy, { orgId, keyId: '1', nowMs: noon });
    expect((await ring.keysOf(orgId))[0]).toMatchObject({ lastUsedUnix: noonUnix });
    expect(Object.keys(await ring.doorOf(orgId)).filter((attribute) => /^[md]1_/.test(attribute))).toEqual([]);
  });
});

it('last use is the minute of the newest request, and null before the first', async () => {
  const orgId = await ring.givenClub();
  const { text } = await ring.givenKey(orgId);
  expect(await ring.keysOf(orgId)).toMatchObject([{ lastUsedUnix: null }]);
  await ring.knock(text, noon + 61_500);
  expect(await ring.keysOf(orgId)).toMatchObject([{ lastUsedUnix: noonUnix + 60 }]);
  await ring.knock(text, noon + 3 * dayMs);
  expect(await ring.keysOf(orgId)).toMatchObject([{ lastUsedUnix: noonUnix + 3 * 86_400 }]);
});
