import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { apiKeyFixture, dayMs, noon, noonUnix } from '../../support/api-keys.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let fixture: ReturnType<typeof apiKeyFixture>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  fixture = apiKeyFixture(table);
});

describe('API key rotation', () => {
  it('a rotated API key works together with its successor until the overlap ends', async () => {
    const orgId = await fixture.givenClub();
    const old = await fixture.givenKey(orgId, { label: 'kiosk', mode: 'test', scopes: ['scans:write'] });
    const rotated = await fixture.rotate(orgId);
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    expect(rotated.key).toMatchObject({ keyId: '2', label: 'kiosk', mode: 'test', scopes: ['scans:write'] });
    expect(rotated.key).toMatchObject({ expiresUnix: null, rotatedFrom: '1' });
    expect(rotated.replaced).toMatchObject({ keyId: '1', expiresUnix: noonUnix + 86_400, rotatedTo: '2' });

    for (const at of [noon, noon + dayMs - 1]) {
      expect([await fixture.admitOnce(old.text, at), await fixture.admitOnce(rotated.text, at)]).toEqual([
        'admitted',
        'admitted',
      ]);
    }
    expect(await fixture.admitOnce(old.text, noon + dayMs)).toBe('expired');
    expect(await fixture.admitOnce(rotated.text, noon + dayMs)).toBe('admitted');
    expect(await fixture.keysOf(orgId)).toMatchObject([{ rotatedTo: '2' }, { rotatedFrom: '1' }]);
  });

  it('a rotated API key is revoked immediately with an overlap of 0', async () => {
    const orgId = await fixture.givenClub();
    const old = await fixture.givenKey(orgId);
    await fixture.admitOnce(old.text, noon);
    const rotated = await fixture.rotate(orgId, { overlapSeconds: 0 });
    expect(rotated).toMatchObject({ replaced: { revokedUnix: noonUnix, lastUsedUnix: noonUnix } });
    expect(await fixture.admitOnce(old.text, noon)).toBe('unknown');
    expect(await fixture.keysOf(orgId)).toMatchObject([
      { revokedUnix: noonUnix, lastUsedUnix: noonUnix },
      { keyId: '2' },
    ]);
  });

  it('a rotated API key keeps an expiry that is sooner than the end of the overlap', async () => {
    const orgId = await fixture.givenClub();
    await fixture.givenKey(orgId, { expiresUnix: noonUnix + 3_600 });
    expect(await fixture.rotate(orgId)).toMatchObject({ replaced: { expiresUnix: noonUnix + 3_600 } });
  });

  it('API key rotation passes on the lifetime of the key, over several rotations, unless an expiry is given', async () => {
    const orgId = await fixture.givenClub();
    await fixture.givenKey(orgId, { expiresUnix: noonUnix + 90 * 86_400 });
    const laterUnix = noonUnix + 30 * 86_400;
    const second = await fixture.rotate(orgId, { nowMs: laterUnix * 1000 });
    expect(second).toMatchObject({ key: { keyId: '2', expiresUnix: laterUnix + 90 * 86_400 } });
    await revokeKey(table, { orgId, keyId: '2', nowMs: laterUnix * 1000 });
    const third = await fixture.rotate(orgId, { nowMs: laterUnix * 1000 });
    expect(third).toMatchObject({ key: { keyId: '3', expiresUnix: laterUnix + 90 * 86_400 } });
    const fourth = await fixture.rotate(orgId, { keyId: '3', nowMs: laterUnix * 1000, expiresUnix: null });
    expect(fourth).toMatchObject({ key: { keyId: '4', expiresUnix: null } });
  });

  it('an API key is rotated once, and not after it has expired or was revoked', async () => {
    const orgId = await fixture.givenClub();
    await fixture.givenKey(orgId);
    await fixture.rotate(orgId);
    expect(await fixture.rotate(orgId)).toEqual({ outcome: 'already_rotated', rotatedTo: '2' });
    expect(await fixture.rotate(orgId, { nowMs: noon + dayMs })).toEqual({ outcome: 'not_live', state: 'expired' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await fixture.rotate(orgId, { keyId: '2' })).toEqual({ outcome: 'not_live', state: 'revoked' });
    expect(await fixture.rotate(orgId, { keyId: 'zz' })).toEqual({ outcome: 'key_missing' });
  });
});
