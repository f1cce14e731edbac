import { beforeAll, describe, expect, it } from 'vitest';
import { changeRequestLimits } from '../../../shared/data/admin/request-limits.ts';
import { admitKey, inspectKey, type PresentedKey } from '../../../shared/data/auth/admit-key.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowNames, windowRules } from '../../../shared/domain/auth/rate-windows.ts';
import { givenCount, givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { parseKey } from '../../../tools/fixtures/signing-key.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let made = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function newKey(): Promise<PresentedKey> {
  made += 1;
  const key = parseKey((await givenKey(table, await givenOrganisation(table, `org_limits${made}`))).text);
  if (key === undefined) throw new Error('An issued key cannot be parsed.');
  return key;
}

describe('the request limits of an organisation', () => {
  it.each(windowNames)('replace those of the specification for %s, raised or lowered', async (window) => {
    const key = await newKey();
    for (const own of [windowRules[window].limit + 7, 5]) {
      await changeRequestLimits(table, key.orgId, { [window]: own });
      await givenCount(table, key.orgId, { window, nowMs, count: own - 3 });
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async () => (await admitKey(table, key, nowMs)).outcome),
      );
      expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(3);
      expect(outcomes.filter((outcome) => outcome === 'exhausted')).toHaveLength(7);
      expect(await inspectKey(table, key, nowMs)).toMatchObject({
        windows: expect.arrayContaining([expect.objectContaining({ name: window, limit: own, remaining: 0 })]),
      });
    }
  });

  it('apply from the next request on, also if the count is higher already, and to no other organisation', async () => {
    const key = await newKey();
    const other = await newKey();
    await givenCount(table, key.orgId, { window: 'key_minute', nowMs, count: 100 });
    expect((await changeRequestLimits(table, key.orgId, { key_minute: 50 }))?.outcome).toBe('changed');
    expect((await changeRequestLimits(table, key.orgId, { key_minute: 50 }))?.outcome).toBe('unchanged');
    expect((await admitKey(table, key, nowMs)).outcome).toBe('exhausted');
    expect((await admitKey(table, other, nowMs)).outcome).toBe('admitted');
    expect(await changeRequestLimits(table, 'org_nobody', { key_minute: 50 })).toBeUndefined();
  });
});
