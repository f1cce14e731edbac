import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { dayMs, keyring, noon, noonUnix } from '../../support/api-keys.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let ring: ReturnType<typeof keyring>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  ring = keyring(table);
});

describe('a rotated key', () => {
  it('works beside its successor until the overlap ends', async () => {
    const orgId = await ring.givenClub();
    const old = await ring.givenKey(orgId, { label: 'kiosk', mode: 'test', scopes: ['scans:write'] });
    const rotated = await ring.rotate(orgId);
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    expect(rotated.key).toMatchObject({ keyId: '2', label: 'kiosk', mode: 'test', scopes: ['scans:write'] });
    expect(rotated.key).toMatchObject({ expiresUnix: null, rotatedFrom: '1' });
    expect(rotated.replaced).toMatchObject({ keyId: '1', expiresUnix: noonUnix + 86_400, rotatedTo: '2' });

    for (const at of [noon, noon + dayMs - 1]) {
      expect([await ring.knock(old.text, at), await ring.knock(rotated.text, at)]).toEqual(['admitted', 'admitted']);
    }
    expect(await ring.knock(old.text, noon + dayMs)).toBe('expired');
    expect(await ring.knock(rotated.text, noon + dayMs)).toBe('admitted');
    expect(await ring.keysOf(orgId)).toMatchObject([{ rotatedTo: '2' }, { rotatedFrom: '1' }]);
  });

  it('is revoked at once with an overlap of 0', async () => {
    const orgId = await ring.givenClub();
    const old = await ring.givenKey(orgId);
    await ring.knock(old.text, noon);
    const rotated = await ring.rotate(orgId, { overlapSeconds: 0 });
    expect(rotated).toMatchObject({ replaced: { revokedUnix: noonUnix, lastUsedUnix: noonUnix } });
    expect(await ring.knock(old.text, noon)).toBe('unknown');
    expect(await ring.keysOf(orgId)).toMatchObject([{ revokedUnix: noonUnix, lastUsedUnix: noonUnix }, { keyId: '2' }]);
  });

  it('keeps an expiry that is sooner than the overlap', async () => {
    const orgId = await ring.givenClub();
    await ring.givenKey(orgId, { expiresUnix: noonUnix + 3_600 });
    expect(await ring.rotate(orgId)).toMatchObject({ replaced: { expiresUnix: noonUnix + 3_600 } });
  });

  it('hands on how long it was meant to live, over several rotations, unless told otherwise', async () => {
    const orgId = await ring.givenClub();
    await ring.givenKey(orgId, { expiresUnix: noonUnix + 90 * 86_400 });
    const laterUnix = noonUnix + 30 * 86_400;
    const second = await ring.rotate(orgId, { nowMs: laterUnix * 1000 });
    expect(second).toMatchObject({ key: { keyId: '2', expiresUnix: laterUnix + 90 * 86_400 } });
    await revokeKey(table, { orgId, keyId: '2', nowMs: laterUnix * 1000 });
    const third = await ring.rotate(orgId, { nowMs: laterUnix * 1000 });
    expect(third).toMatchObject({ key: { keyId: '3', expiresUnix: laterUnix + 90 * 86_400 } });
    const fourth = await ring.rotate(orgId, { keyId: '3', nowMs: laterUnix * 1000, expiresUnix: null });
    expect(fourth).toMatchObject({ key: { keyId: '4', expiresUnix: null } });
  });

  it('has one successor, and none once it has ended', async () => {
    const orgId = await ring.givenClub();
    await ring.givenKey(orgId);
    await ring.rotate(orgId);
    expect(await ring.rotate(orgId)).toEqual({ outcome: 'already_rotated', rotatedTo: '2' });
    expect(await ring.rotate(orgId, { nowMs: noon + dayMs })).toEqual({ outcome: 'not_live', state: 'expired' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await ring.rotate(orgId, { keyId: '2' })).toEqual({ outcome: 'not_live', state: 'revoked' });
    expect(await ring.rotate(orgId, { keyId: 'zz' })).toEqual({ outcome: 'key_missing' });
  });
});
