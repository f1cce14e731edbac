import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { apiKeyFixture, noon, noonUnix } from '../../support/api-keys.ts';
import { crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let fixture: ReturnType<typeof apiKeyFixture>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  fixture = apiKeyFixture(table);
});

describe('API key races', () => {
  it('a concurrent API key rotation and revocation end as if they had run one after the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const orgId = await fixture.givenClub();
      const old = await fixture.givenKey(orgId);
      const [rotated] = await Promise.all([
        fixture.rotate(orgId),
        revokeKey(table, { orgId, keyId: '1', nowMs: noon }),
      ]);
      expect(await fixture.admitOnce(old.text, noon)).toBe('unknown');
      const [first, second] = await fixture.keysOf(orgId);
      expect(first).toMatchObject({ revokedUnix: noonUnix });
      if (rotated.outcome === 'rotated') {
        expect(await fixture.admitOnce(rotated.text, noon)).toBe('admitted');
        expect([first?.rotatedTo, second?.rotatedFrom]).toEqual(['2', '1']);
      } else {
        expect(rotated).toEqual({ outcome: 'not_live', state: 'revoked' });
        expect([first?.rotatedTo, second]).toEqual([null, undefined]);
      }
    }
  });

  it('one of ten concurrent rotations of an API key succeeds', async () => {
    const orgId = await fixture.givenClub();
    await fixture.givenKey(orgId);
    const results = await Promise.all(Array.from({ length: 10 }, () => fixture.rotate(orgId)));
    expect(results.filter(({ outcome }) => outcome === 'rotated')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'already_rotated')).toHaveLength(9);
    expect(await fixture.storedKeyIds(orgId)).toEqual(['1', '2']);
  });

  it('concurrent requests and API key issues lose neither a count nor a key', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId);
    const requests = Array.from({ length: 50 }, () => fixture.admitOnce(text, noon));
    await Promise.all([...requests, ...Array.from({ length: 10 }, () => fixture.issue(orgId))]);
    expect(await fixture.storedKeyIds(orgId)).toHaveLength(11);
    const counts = Object.entries(await fixture.authItemOf(orgId)).filter(([attribute]) =>
      /^([md]1|o)_/.test(attribute),
    );
    expect(counts.map(([, count]) => count)).toEqual([50, 50, 50]);
  });

  it('issuing an API key retries transaction conflicts', async () => {
    const orgId = await fixture.givenClub();
    const contended = faultyTable(table, async (send, attempt) => {
      if (attempt > 3) return send();
      throw new TransactionCanceledException({
        message: 'conflict',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      });
    });
    expect(await fixture.issue(orgId, {}, contended)).toMatchObject({ outcome: 'issued', key: { keyId: '1' } });
  });
});

describe('API key commands and crashes', () => {
  it('a crash before the API key transaction changes nothing', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId);
    const before = [await fixture.authItemOf(orgId), await fixture.keysOf(orgId)];
    await expect(fixture.issue(orgId, {}, crashBefore(table))).rejects.toBe(crash);
    await expect(fixture.rotate(orgId, {}, crashBefore(table))).rejects.toBe(crash);
    await expect(revokeKey(crashBefore(table), { orgId, keyId: '1', nowMs: noon })).rejects.toBe(crash);
    expect([await fixture.authItemOf(orgId), await fixture.keysOf(orgId)]).toEqual(before);
    expect(await fixture.admitOnce(text, noon)).toBe('admitted');
    expect(await fixture.issue(orgId)).toMatchObject({ outcome: 'issued', key: { keyId: '2' } });
  });

  it('a crash after an API key was issued leaves a complete key, which is listed and can be revoked', async () => {
    const orgId = await fixture.givenClub();
    await expect(fixture.issue(orgId, {}, crashAfter(table))).rejects.toBe(crash);
    expect(await fixture.storedKeyIds(orgId)).toEqual(['1']);
    expect(await fixture.keysOf(orgId)).toMatchObject([{ keyId: '1', lastUsedUnix: null }]);
    expect(await fixture.issue(orgId)).toMatchObject({ outcome: 'issued', key: { keyId: '2' } });
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: noon })).toMatchObject({ outcome: 'revoked' });
  });

  it('rotating an API key again after a crash names the successor, and works once that is revoked', async () => {
    const orgId = await fixture.givenClub();
    await fixture.givenKey(orgId);
    await expect(fixture.rotate(orgId, {}, crashAfter(table))).rejects.toBe(crash);
    expect(await fixture.rotate(orgId)).toEqual({ outcome: 'already_rotated', rotatedTo: '2' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await fixture.rotate(orgId)).toMatchObject({ outcome: 'rotated', key: { keyId: '3' } });
  });

  it('revoking an API key again after a crash reports that it is already revoked', async () => {
    const orgId = await fixture.givenClub();
    const { text } = await fixture.givenKey(orgId);
    await expect(revokeKey(crashAfter(table), { orgId, keyId: '1', nowMs: noon })).rejects.toBe(crash);
    expect(await fixture.admitOnce(text, noon)).toBe('unknown');
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: noon })).toMatchObject({ outcome: 'already_revoked' });
  });
});
