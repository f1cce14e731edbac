import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { keyring, noon, noonUnix } from '../../support/api-keys.ts';
import { crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let ring: ReturnType<typeof keyring>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  ring = keyring(table);
});

describe('races', () => {
  it('between rotating and revoking end as if one had come after the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const orgId = await ring.givenClub();
      const old = await ring.givenKey(orgId);
      const [rotated] = await Promise.all([ring.rotate(orgId), revokeKey(table, { orgId, keyId: '1', nowMs: noon })]);
      expect(await ring.knock(old.text, noon)).toBe('unknown');
      const [first, second] = await ring.keysOf(orgId);
      expect(first).toMatchObject({ revokedUnix: noonUnix });
      if (rotated.outcome === 'rotated') {
        expect(await ring.knock(rotated.text, noon)).toBe('admitted');
        expect([first?.rotatedTo, second?.rotatedFrom]).toEqual(['2', '1']);
      } else {
        expect(rotated).toEqual({ outcome: 'not_live', state: 'revoked' });
        expect([first?.rotatedTo, second]).toEqual([null, undefined]);
      }
    }
  });

  it('of ten rotations of one key let one through', async () => {
    const orgId = await ring.givenClub();
    await ring.givenKey(orgId);
    const results = await Promise.all(Array.from({ length: 10 }, () => ring.rotate(orgId)));
    expect(results.filter(({ outcome }) => outcome === 'rotated')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'already_rotated')).toHaveLength(9);
    expect(await ring.heldBy(orgId)).toEqual(['1', '2']);
  });

  it('with requests at the door lose neither a count nor a change', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId);
    const knocks = Array.from({ length: 50 }, () => ring.knock(text, noon));
    await Promise.all([...knocks, ...Array.from({ length: 10 }, () => ring.issue(orgId))]);
    expect(await ring.heldBy(orgId)).toHaveLength(11);
    const counts = Object.entries(await ring.doorOf(orgId)).filter(([attribute]) => /^([md]1|o)_/.test(attribute));
    expect(counts.map(([, count]) => count)).toEqual([50, 50, 50]);
  });

  it('that DynamoDB reports as transaction conflicts are run again', async () => {
    const orgId = await ring.givenClub();
    const contended = faultyTable(table, async (send, attempt) => {
      if (attempt > 3) return send();
      throw new TransactionCanceledException({
        message: 'conflict',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      });
    });
    expect(await ring.issue(orgId, {}, contended)).toMatchObject({ outcome: 'issued', key: { keyId: '1' } });
  });
});

describe('a crash', () => {
  it('before the transaction leaves everything as it was', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId);
    const before = [await ring.doorOf(orgId), await ring.keysOf(orgId)];
    await expect(ring.issue(orgId, {}, crashBefore(table))).rejects.toBe(crash);
    await expect(ring.rotate(orgId, {}, crashBefore(table))).rejects.toBe(crash);
    await expect(revokeKey(crashBefore(table), { orgId, keyId: '1', nowMs: noon })).rejects.toBe(crash);
    expect([await ring.doorOf(orgId), await ring.keysOf(orgId)]).toEqual(before);
    expect(await ring.knock(text, noon)).toBe('admitted');
    expect(await ring.issue(orgId)).toMatchObject({ outcome: 'issued', key: { keyId: '2' } });
  });

  it('after an issue leaves a whole key whose text is lost: it is listed and can be revoked', async () => {
    const orgId = await ring.givenClub();
    await expect(ring.issue(orgId, {}, crashAfter(table))).rejects.toBe(crash);
    expect(await ring.heldBy(orgId)).toEqual(['1']);
    expect(await ring.keysOf(orgId)).toMatchObject([{ keyId: '1', lastUsedUnix: null }]);
    expect(await ring.issue(orgId)).toMatchObject({ outcome: 'issued', key: { keyId: '2' } });
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: noon })).toMatchObject({ outcome: 'revoked' });
  });

  it('after a rotation: the repeat names the successor, and with that one revoked it works', async () => {
    const orgId = await ring.givenClub();
    await ring.givenKey(orgId);
    await expect(ring.rotate(orgId, {}, crashAfter(table))).rejects.toBe(crash);
    expect(await ring.rotate(orgId)).toEqual({ outcome: 'already_rotated', rotatedTo: '2' });
    await revokeKey(table, { orgId, keyId: '2', nowMs: noon });
    expect(await ring.rotate(orgId)).toMatchObject({ outcome: 'rotated', key: { keyId: '3' } });
  });

  it('after a revocation: the repeat says that it was done', async () => {
    const orgId = await ring.givenClub();
    const { text } = await ring.givenKey(orgId);
    await expect(revokeKey(crashAfter(table), { orgId, keyId: '1', nowMs: noon })).rejects.toBe(crash);
    expect(await ring.knock(text, noon)).toBe('unknown');
    expect(await revokeKey(table, { orgId, keyId: '1', nowMs: noon })).toMatchObject({ outcome: 'already_revoked' });
  });
});
