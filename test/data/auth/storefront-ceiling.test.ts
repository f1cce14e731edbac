import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeCounts } from '../../../shared/data/auth/admit-key.ts';
import { admitStorefront } from '../../../shared/data/auth/admit-storefront.ts';
import { countAttribute } from '../../../shared/data/auth/auth-item.ts';
import { type ItemKey, storefrontCountKey, storefrontTokenKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex } from '../../../shared/domain/auth/rate-windows.ts';
import { tokenHash } from '../../../shared/http/auth/signed-token.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_ceiling';
const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function read(Key: ItemKey): Promise<Record<string, unknown> | undefined> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item;
}

describe('the counts of a storefront token', () => {
  it('each address has an item of its own that expires and does not grow, and the item of the token stays small', async () => {
    const { text, tokenId } = await givenStorefrontToken(table, orgId);
    const presented = { orgId, keyId: tokenId, hash: tokenHash(text) };
    const tokenItem = async () => (await read(storefrontTokenKey(orgId, tokenId))) ?? {};
    const before = Object.keys(await tokenItem()).length;
    const minutes = Array.from({ length: 40 }, (_, minute) => noon + minute * 60_000);
    for (const nowMs of minutes) {
      const requests = Array.from({ length: 6 }, (_, index) =>
        admitStorefront(table, presented, [{ window: 'address_minute', id: `a${index % 3}` }], nowMs),
      );
      const stale = (await Promise.all(requests)).flatMap((one) => ('staleCounts' in one ? one.staleCounts : []));
      // As authentication does after the response.
      if (stale.length > 0) await removeCounts(table, storefrontTokenKey(orgId, tokenId), [...new Set(stale)]);
    }
    // Counts of earlier minutes are removed 16 at a time.
    expect(Object.keys(await tokenItem()).length - before).toBeLessThanOrEqual(18);
    for (const nowMs of minutes.slice(-2)) {
      for (let index = 0; index < 3; index += 1) {
        const key = storefrontCountKey(orgId, tokenId, `a${index}`, windowIndex('address_minute', nowMs));
        expect(await read(key)).toEqual({ ...key, requests: 2, ttl: nowMs / 1000 + 60 + 3_600 });
      }
    }
  });
});

describe('the ceiling of a storefront token', () => {
  it('a request with a storefront token costs one write and one consistent read of the token, and a sample two writes', async () => {
    const { text, tokenId } = await givenStorefrontToken(table, orgId);
    const presented = { orgId, keyId: tokenId, hash: tokenHash(text) };
    const costs: unknown[] = [];
    for (const id of ['first', 'second', 'third', 'fourth']) {
      table.meter.reset();
      await admitStorefront(table, presented, [{ window: 'address_minute', id }], noon);
      const { calls, readUnits, writeUnits } = table.meter;
      costs.push([calls, readUnits, writeUnits]);
    }
    // The first request of a process is a sample, and later one in sixty.
    expect(costs[0]).toEqual([2, 0, 2]);
    expect(costs.slice(1)).toContainEqual([2, 1, 1]);
  });

  it('is counted by samples: their sum is close to the number of requests, and few requests write it', async () => {
    const { text, tokenId } = await givenStorefrontToken(table, orgId, { perMinute: 20_000 });
    const presented = { orgId, keyId: tokenId, hash: tokenHash(text) };
    let written = 0;
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          const key = 'Key' in args.input ? String(fieldsOf(args.input.Key).pk) : '';
          if (commandName === 'UpdateItemCommand' && key.includes(`PUB#${orgId}`)) written += 1;
          return next(args);
        },
      { step: 'initialize', priority: 'low', name: 'countSamples' },
    );
    const requests = 600;
    for (let batch = 0; batch < requests / 50; batch += 1) {
      const admissions = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          admitStorefront(table, presented, [{ window: 'address_minute', id: `a${batch}-${index}` }], noon),
        ),
      );
      expect(new Set(admissions.map(({ outcome }) => outcome))).toEqual(new Set(['admitted']));
    }
    const item = await read(storefrontTokenKey(orgId, tokenId));
    const counted = Number(item?.[countAttribute('key_minute', tokenId, windowIndex('storefront_minute', noon))]);
    // The first batch runs in a process that does not know the ceiling yet, and writes every request. The others are samples of
    // 1 in 20: 27.5 of 550 on average. The bounds are more than four standard deviations away.
    expect(counted).toBeGreaterThan(50 + 100);
    expect(counted).toBeLessThan(50 + 1_000);
    expect(written).toBeGreaterThan(50 + 5);
    expect(written).toBeLessThan(50 + 50);
  });
});
