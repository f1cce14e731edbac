import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAllChanges } from '../../shared/data/positions/tree/waiting-changes.ts';
import { aCustomer, givenCustomers, someSecond } from '../../tools/fixtures/customers.ts';
import { storedTreeKeys } from '../support/position-trees.ts';
import { type Service, shareService } from '../support/service.ts';

const orgId = 'org_positions';
const trees = { orgId, resource: 'customers' } as const;
let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

it('new customers are in every page before and after the stream has added them to the position trees', async () => {
  const { table } = service;
  // More than one batch of the stream, so it does not wait for more.
  const customers = Array.from({ length: 250 }, (_, index) =>
    aCustomer({ addedUnix: someSecond + index, firstName: `F${(index * 7) % 250}` }),
  );
  await givenCustomers(table, orgId, customers);
  const page = async () => {
    const { body } = await service.call('/v1/customers?sort_direction=asc&limit=10&page_number=20', { key });
    return body;
  };
  const data = customers.slice(190, 200).map(({ userId }) => ({ user_id: userId }));
  expect(await page()).toMatchObject({ data, has_more: true });
  await vi.waitFor(
    async () => {
      const { pending } = await readAllChanges(table, trees);
      expect(pending.length).toBeLessThan(100);
      expect((await storedTreeKeys(table, trees, 'first')).length).toBeGreaterThan(100);
    },
    { timeout: 50_000, interval: 250 },
  );
  expect(await page()).toMatchObject({ data, has_more: true });
  expect(service.logs.filter((line) => line.includes('not allowed'))).toEqual([]);
});
