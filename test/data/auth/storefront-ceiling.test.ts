import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { admitStorefront } from '../../../shared/data/auth/admit-storefront.ts';
import { countAttribute } from '../../../shared/data/auth/auth-item.ts';
import { storefrontTokenKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex } from '../../../shared/domain/auth/rate-windows.ts';
import { tokenHash } from '../../../shared/http/auth/signed-token.ts';
import { givenStorefrontToken } from '../../support/storefront.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_ceiling';
const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the ceiling of a storefront token', () => {
  it('is counted by samples: their sum is close to the number of requests, and few requests write it', async () => {
    const { text, tokenId } = await givenStorefrontToken(table, orgId, { perMinute: 20_000 });
    const presented = { orgId, keyId: tokenId, hash: tokenHash(text) };
    let written = 0;
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          const key = 'Key' in args.input ? String(Object(args.input.Key).pk) : '';
          if (commandName === 'UpdateItemCommand' && key.includes(`PUB#${orgId}`)) written += 1;
          return next(args);
        },
      { step: 'initialize', priority: 'low', name: 'countSamples' },
    );
    const requests = 600;
    for (let batch = 0; batch < requests / 50; batch += 1) {
      const admissions = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          admitStorefront(table, presented, { window: 'address_minute', id: `a${batch}-${index}` }, noon),
        ),
      );
      expect(new Set(admissions.map(({ outcome }) => outcome))).toEqual(new Set(['admitted']));
    }
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: storefrontTokenKey(orgId, tokenId), ConsistentRead: true }),
    );
    const counted = Number(Item?.[countAttribute('key_minute', tokenId, windowIndex('storefront_minute', noon))]);
    // The first batch runs in a process that does not know the ceiling yet, and writes every request. The others are samples of
    // 1 in 20: 27.5 of 550 on average. The bounds are more than four standard deviations away.
    expect(counted).toBeGreaterThan(50 + 100);
    expect(counted).toBeLessThan(50 + 1_000);
    expect(written).toBeGreaterThan(50 + 5);
    expect(written).toBeLessThan(50 + 50);
  });
});
