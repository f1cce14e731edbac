import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { admitKey, inspectKey, type PresentedKey, removeCounts } from '../../../shared/data/auth/admit-key.ts';
import { lastUsedMinutes } from '../../../shared/data/auth/auth-item.ts';
import { isTableUnavailable } from '../../../shared/data/table/failures.ts';
import { authKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex, windowNames, windowRules } from '../../../shared/domain/auth/rate-windows.ts';
import { givenCount, givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { parseKey } from '../../../tools/fixtures/signing-key.ts';
import { conflictingFirst } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
const minuteMs = 60_000;

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenCaller(options: Parameters<typeof givenKey>[2] = {}): Promise<PresentedKey> {
  organisations += 1;
  const orgId = await givenOrganisation(table, `org_auth${organisations}`);
  return presented(await givenKey(table, orgId, options));
}

function presented({ text }: { text: string }): PresentedKey {
  const key = parseKey(text);
  if (key === undefined) throw new Error('A key that was just made cannot be parsed.');
  return key;
}

async function authItem(orgId: string): Promise<Record<string, unknown>> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: authKey(orgId) }));
  return Item ?? {};
}

async function outcomes(requests: readonly Promise<{ outcome: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of await Promise.all(requests)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('authentication of a known API key', () => {
  it('authentication admits a known API key with its scopes and what remains of each rate limit window', async () => {
    const key = await givenCaller({ scopes: ['read', 'sso'] });
    expect(await admitKey(table, key, noon)).toMatchObject({
      outcome: 'admitted',
      scopes: ['read', 'sso'],
      windows: [
        { name: 'key_minute', remaining: 299 },
        { name: 'key_day', remaining: 29_999 },
        { name: 'organisation_day', remaining: 49_999 },
      ],
    });
  });

  it('authentication costs one write and no read', async () => {
    const key = await givenCaller();
    table.meter.reset();
    await admitKey(table, key, noon);
    expect(table.meter).toMatchObject({ calls: 1, readUnits: 0, writeUnits: 1 });
  });

  it('authentication costs one write unit even when ten API keys are used in the same minute', async () => {
    const key = await givenCaller();
    for (const keyId of ['2', '3', '4', '5', '6', '7', '8', '9', 'a']) {
      await admitKey(table, presented(await givenKey(table, key.orgId, { keyId })), noon);
    }
    table.meter.reset();
    await admitKey(table, key, noon);
    expect(table.meter).toMatchObject({ calls: 1, writeUnits: 1 });
  });
});

describe.each(windowNames)('authentication and the rate limit window %s', (window) => {
  const { limit, seconds } = windowRules[window];

  it('authentication admits exactly what remains of the window when 50 requests come at once', async () => {
    const key = await givenCaller();
    await givenCount(table, key.orgId, { window, nowMs: noon, count: limit - 25 });
    expect(await outcomes(Array.from({ length: 50 }, () => admitKey(table, key, noon)))).toEqual({
      admitted: 25,
      exhausted: 25,
    });
  });

  it('authentication refuses a request over the limit without consuming anything in any window', async () => {
    const key = await givenCaller();
    await givenCount(table, key.orgId, { window, nowMs: noon, count: limit });
    const before = await authItem(key.orgId);
    await admitKey(table, key, noon);
    expect(await authItem(key.orgId)).toEqual(before);
  });

  it('authentication counts from zero in the next window, for concurrent requests on both sides of the boundary', async () => {
    const key = await givenCaller();
    const boundary = (windowIndex(window, noon) + 1) * seconds * 1000;
    await givenCount(table, key.orgId, { window, nowMs: boundary - 1, count: limit - 10 });
    await givenCount(table, key.orgId, { window, nowMs: boundary, count: limit - 15 });
    const before = Array.from({ length: 25 }, () => admitKey(table, key, boundary - 1));
    const after = Array.from({ length: 25 }, () => admitKey(table, key, boundary));
    expect(await outcomes(before)).toEqual({ admitted: 10, exhausted: 15 });
    expect(await outcomes(after)).toEqual({ admitted: 15, exhausted: 10 });
  });
});

describe('authentication counts', () => {
  it('authentication counts requests per API key, and per organisation over all its keys', async () => {
    const first = await givenCaller();
    const second = presented(await givenKey(table, first.orgId, { keyId: '2' }));
    await admitKey(table, first, noon);
    expect(await admitKey(table, second, noon)).toMatchObject({
      windows: [{ remaining: 299 }, { remaining: 29_999 }, { remaining: 49_998 }],
    });
  });

  it('authentication counts exactly over three API keys at the daily limit of their organisation', async () => {
    const first = await givenCaller();
    const keys = [first];
    for (const keyId of ['2', '3']) keys.push(presented(await givenKey(table, first.orgId, { keyId })));
    await givenCount(table, first.orgId, { window: 'organisation_day', nowMs: noon, count: 49_980 });
    const requests = keys.flatMap((key) => Array.from({ length: 20 }, () => admitKey(table, key, noon)));
    expect(await outcomes(requests)).toEqual({ admitted: 20, exhausted: 40 });
  });

  it('authentication of a flooding API key takes nothing from another key', async () => {
    const flooding = await givenCaller();
    const good = presented(await givenKey(table, flooding.orgId, { keyId: '2' }));
    await givenCount(table, flooding.orgId, { window: 'key_minute', nowMs: noon, count: 300 });
    const flood = Array.from({ length: 100 }, () => admitKey(table, flooding, noon));
    const wanted = Array.from({ length: 50 }, () => admitKey(table, good, noon));
    expect(await outcomes(wanted)).toEqual({ admitted: 50 });
    expect(await outcomes(flood)).toEqual({ exhausted: 100 });
  });
});

describe('authentication refuses an invalid API key', () => {
  it('authentication refuses an organisation that does not exist, and creates no item for it', async () => {
    const { hash } = await givenCaller();
    expect(await admitKey(table, { orgId: 'org_nobody', keyId: '1', hash }, noon)).toEqual({ outcome: 'unknown' });
    expect(await authItem('org_nobody')).toEqual({});
  });

  it('authentication refuses an API key with the right id and the wrong secret, and counts nothing', async () => {
    const key = await givenCaller();
    const before = await authItem(key.orgId);
    expect(await admitKey(table, { ...key, hash: new Uint8Array(32) }, noon)).toEqual({ outcome: 'unknown' });
    expect(await authItem(key.orgId)).toEqual(before);
  });

  it('authentication refuses an API key of another organisation that is presented for this one', async () => {
    const [mine, theirs] = [await givenCaller(), await givenCaller()];
    expect(await admitKey(table, { ...mine, orgId: theirs.orgId }, noon)).toEqual({ outcome: 'unknown' });
  });

  it('authentication refuses an API key from the second in which it expires', async () => {
    const key = await givenCaller({ expiresUnix: noon / 1000 });
    expect(await admitKey(table, key, noon - 1)).toMatchObject({ outcome: 'admitted' });
    expect(await admitKey(table, key, noon)).toEqual({ outcome: 'expired' });
  });
});

describe('authentication without counting', () => {
  it('inspecting an API key returns the windows, changes nothing and works when the limit is reached', async () => {
    const key = await givenCaller();
    await givenCount(table, key.orgId, { window: 'key_minute', nowMs: noon, count: 300 });
    const before = await authItem(key.orgId);
    expect(await inspectKey(table, key, noon)).toMatchObject({
      outcome: 'recognised',
      windows: [{ remaining: 0 }, {}, {}],
    });
    expect(await authItem(key.orgId)).toEqual(before);
  });
});

describe('rate limit counts of past windows', () => {
  it('authentication reports the counts of past windows once they are many, and each key keeps its last use', async () => {
    const key = await givenCaller();
    const hour = Array.from({ length: 20 }, (_, index) => noon + index * minuteMs);
    for (const nowMs of hour) await admitKey(table, key, nowMs);
    const admission = await admitKey(table, key, noon + 20 * minuteMs);
    const stale = admission.outcome === 'admitted' ? admission.staleCounts : [];
    expect(stale).toHaveLength(19);
    await removeCounts(table, authKey(key.orgId), stale);
    const item = await authItem(key.orgId);
    expect(lastUsedMinutes(item).get(key.keyId)).toBe(windowIndex('key_minute', noon + 20 * minuteMs));
    expect(await admitKey(table, key, noon + 20 * minuteMs)).toMatchObject({ windows: [{ remaining: 298 }, {}, {}] });
  });

  it('removing the counts of past windows keeps the auth item small over a day of use', async () => {
    const key = await givenCaller();
    let largest = 0;
    for (let minute = 0; minute < 100; minute += 1) {
      const admission = await admitKey(table, key, noon + minute * minuteMs);
      if (admission.outcome !== 'admitted') throw new Error('The request was not admitted.');
      if (admission.staleCounts.length > 0) await removeCounts(table, authKey(key.orgId), admission.staleCounts);
      largest = Math.max(largest, Object.keys(await authItem(key.orgId)).length);
    }
    expect(largest).toBeLessThan(30);
  });
});

describe('authentication while the API key is being changed', () => {
  it('authentication retries a transaction conflict and counts the request once', async () => {
    const key = await givenCaller();
    expect(await admitKey(conflictingFirst(table, 3), key, noon)).toMatchObject({
      outcome: 'admitted',
      windows: [{ remaining: 299 }, {}, {}],
    });
  });

  it('authentication reports that the table is busy when the conflict lasts, and counts nothing', async () => {
    const key = await givenCaller();
    const failure = await admitKey(conflictingFirst(table, 100), key, noon).catch((error: unknown) => error);
    expect(isTableUnavailable(failure)).toBe(true);
    expect(await admitKey(table, key, noon)).toMatchObject({ windows: [{ remaining: 299 }, {}, {}] });
  });
});
