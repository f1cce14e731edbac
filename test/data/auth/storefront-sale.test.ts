import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeStorefrontToken, revokeStorefrontToken } from '../../../shared/data/admin/storefront-tokens.ts';
import { admitStorefront } from '../../../shared/data/auth/admit-storefront.ts';
import { storefrontCountKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { windowIndex } from '../../../shared/domain/auth/rate-windows.ts';
import { countsPerAddress, defaultStorefrontLimits, saleLimits } from '../../../shared/domain/auth/storefront.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { clientAddressId } from '../../../shared/http/auth/client-address.ts';
import { tokenHash } from '../../../shared/http/auth/signed-token.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale, noonUnix } from '../../support/baskets.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { type OpenBasket, Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_gateway';
const nowMs = noonUnix * 1000;
const sourceIp = '203.0.113.9';
const source = { window: 'address_minute', id: 'agateway' } as const;
let table: Table;
let price: PriceRecord;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ price } = await givenOnSale(table, orgId, { capacity: 10_000 }));
});

async function givenToken(limits: Partial<typeof defaultStorefrontLimits> = {}) {
  const { text, tokenId } = await givenStorefrontToken(table, orgId, limits);
  return { text, tokenId, presented: { orgId, keyId: tokenId, hash: tokenHash(text) } };
}

async function countedRequests(
  tokenId: string,
  id: string,
  window: 'address_minute' | 'address_baskets' = 'address_minute',
): Promise<number> {
  const { pk, sk } = storefrontCountKey(orgId, tokenId, id, windowIndex(window, nowMs));
  const { Items: [item] = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    }),
  );
  return Number(item?.requests ?? 0);
}

describe('many buyers behind one address', () => {
  it('the limits of a sale allow 2,500 or a tenth of the buyers behind one address, and never less than the defaults', () => {
    expect(saleLimits(50_000)).toEqual({
      perMinute: 300_000,
      perAddress: 10_000,
      maxBaskets: 10_000,
      maxHeld: 10_000,
    });
    expect(saleLimits(5_000)).toMatchObject({ perAddress: 5_000, maxBaskets: 5_000, maxHeld: 5_000 });
    expect(saleLimits(10)).toEqual(defaultStorefrontLimits);
  });

  it('a raised limit per address holds from the next request on, also for an instance that knew the old one', async () => {
    const { tokenId, presented } = await givenToken({ perAddress: 5 });
    const admit = async () => (await admitStorefront(table, presented, [source], nowMs)).outcome;
    const first: string[] = [];
    for (let index = 0; index < 7; index += 1) first.push(await admit());
    expect(first).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'admitted', 'exhausted', 'exhausted']);
    await changeStorefrontToken(table, { orgId, tokenId }, { perAddress: 7 });
    expect([await admit(), await admit(), await admit()]).toEqual(['admitted', 'admitted', 'exhausted']);
    expect(await countedRequests(tokenId, source.id)).toBe(7);
  });

  it('a token with the limits of a sale is read once a second by an instance, and every other one with each request', async () => {
    const requests = 40;
    const readUnitsOf = async (limits: Partial<typeof defaultStorefrontLimits>) => {
      const { tokenId, presented } = await givenToken(limits);
      const basket = { window: 'basket_minute', id: `b${tokenId}` } as const;
      const admit = async (atMs: number) => (await admitStorefront(table, presented, [basket], atMs)).outcome;
      // This instance learns the limits.
      await admit(nowMs);
      table.meter.reset();
      for (let index = 0; index < requests; index += 1) expect(await admit(nowMs + 20 * index)).toBe('admitted');
      return { readUnits: table.meter.readUnits, admit, tokenId };
    };
    expect((await readUnitsOf({})).readUnits).toBe(requests);
    const { readUnits, admit, tokenId } = await readUnitsOf(saleLimits(50_000));
    expect(readUnits).toBe(0.5);
    await revokeStorefrontToken(table, { orgId, tokenId, nowUnix: noonUnix });
    expect([await admit(nowMs + 999), await admit(nowMs + 1_000)]).toEqual(['admitted', 'unknown']);
  });

  it('an address with a high limit is counted by samples, and refused when they reach the limit', async () => {
    const { tokenId, presented } = await givenToken({ perAddress: 12_000 });
    const admit = () => admitStorefront(table, presented, [source], nowMs);
    // This instance learns the limit.
    await admit();
    const requests = 600;
    const outcomes = new Set<string>();
    for (let index = 0; index < requests; index += 1) outcomes.add((await admit()).outcome);
    expect([...outcomes]).toEqual(['admitted']);
    const counted = await countedRequests(tokenId, source.id);
    // One in 20 writes for all: 30 writes on average, and the bounds are more than four standard deviations away.
    expect(counted).toBeGreaterThan(120);
    expect(counted).toBeLessThan(1_200);
    await changeStorefrontToken(table, { orgId, tokenId }, { perAddress: counted });
    await admit();
    expect((await admit()).outcome).toBe('exhausted');
  });

  it('an address opens at most so many baskets in 15 minutes, and the refusal says so', async () => {
    const { text } = await givenToken({ maxBaskets: 3 });
    const shop = new Shop(table, orgId, text, { sourceIp, nowMs });
    for (let remaining = 2; remaining >= 0; remaining -= 1) {
      const { status, headers } = await shop.open();
      expect([status, headers['X-RateLimit-Remaining']]).toEqual([201, String(remaining)]);
    }
    const refused = await shop.open();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    expect(refused.body.error).toMatchObject({ message: expect.stringContaining('3 new baskets per 15 minutes') });
    expect(Number(refused.headers['Retry-After'])).toBeGreaterThan(0);
    expect(refused.headers['RateLimit-Policy']).toContain('"address-baskets";q=3;w=900');
    const other = new Shop(table, orgId, text, { sourceIp: '203.0.113.10', nowMs });
    expect((await other.open()).status).toBe(201);
    expect((await shop.open({ nowMs: nowMs + 900_000 })).status).toBe(201);
  });

  it('a refused basket counts in no window of its address', async () => {
    const { text, tokenId } = await givenToken({ maxBaskets: 2 });
    const address = '203.0.113.20';
    const shop = new Shop(table, orgId, text, { sourceIp: address, nowMs });
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.open()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await countedRequests(tokenId, `a${clientAddressId(address)}`)).toBe(2);
    const refused = await shop.open();
    expect([refused.status, refused.headers.RateLimit]).toEqual([
      429,
      expect.stringContaining('"address-minute";r=598'),
    ]);
  });

  it('a basket that is refused by the requests of its address is not counted as an opened one', async () => {
    const { text, tokenId } = await givenToken({ perAddress: 2, maxBaskets: 50 });
    const address = '203.0.113.21';
    const shop = new Shop(table, orgId, text, { sourceIp: address, nowMs });
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.open()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await countedRequests(tokenId, `o${clientAddressId(address)}`, 'address_baskets')).toBe(2);
  });

  it('the tickets of an address with a high limit are counted in several items', async () => {
    expect(countsPerAddress(defaultStorefrontLimits.maxHeld)).toEqual({ items: 1, maxTicketsEach: 40 });
    expect(countsPerAddress(10_000)).toEqual({ items: 100, maxTicketsEach: 100 });
    const { text, tokenId } = await givenToken({ maxHeld: 200 });
    const shop = new Shop(table, orgId, text, { sourceIp, nowMs });
    const address = clientAddressId(sourceIp);
    const statuses: number[] = [];
    const baskets: OpenBasket[] = [];
    for (let index = 0; index < 30; index += 1) {
      const basket = await shop.opened();
      baskets.push(basket);
      statuses.push((await shop.add(basket, price.priceId, 25)).status);
    }
    const held = async () => {
      const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
      const items = Items.filter(({ pk }) => String(pk).startsWith(`HOLD#${orgId}#${tokenId}#${address}.`));
      return items.map(({ tickets }) => Number(tickets)).sort();
    };
    // Two items with 100 each, whichever baskets filled them.
    expect(await held()).toEqual([100, 100]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 409)).toHaveLength(22);
    for (const basket of baskets) await shop.cancel(basket);
    expect(await held()).toEqual([0, 0]);
  });
});
