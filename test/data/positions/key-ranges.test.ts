import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { customerPositions } from '../../../shared/data/customers/positions.ts';
import { keysFrom } from '../../../shared/data/positions/all-keys.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { builtPositionItems } from '../../../shared/data/positions/build.ts';
import { positionChangeItem } from '../../../shared/data/positions/change.ts';
import { nodesBetween } from '../../../shared/data/positions/nodes-between.ts';
import { isLeaf } from '../../../shared/data/positions/tree.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { firstSortKeyChangedAfter, sortKeyOf } from '../../../shared/domain/customers/sort.ts';
import { aCustomer, someSecond } from '../../../tools/fixtures/customers.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';

const count = 8_000;
const orgId = 'org_ranges';
const trees = { orgId, resource: 'customers' } as const;
const byChange = { ...trees, list: 'updated' } as const;

let table: Table;
let customers: readonly CustomerRecord[];

beforeAll(async () => {
  ({ table } = await createTestTable());
  customers = Array.from({ length: count }, (_, index) =>
    aCustomer({
      addedUnix: someSecond + index,
      updatedUnix: null,
      emailAddress: `fan${(index * 7_919) % count}@example.com`,
    }),
  );
  // Only the lists that these tests read.
  const positions = customers.map(customerPositions).map(({ updated = '', email = '' }) => ({ updated, email }));
  await putItems(table, [...builtPositionItems(trees, positions)]);
});

async function unitsOf<Result>(read: () => Promise<Result>): Promise<{ readonly result: Result; units: number }> {
  table.meter.reset();
  const result = await read();
  return { result, units: table.meter.readUnits };
}

describe('keys of a position tree from a key on', () => {
  it('are exactly those of the list, from any key on', async () => {
    const keys = customers.map((customer) => sortKeyOf('updated', customer)).sort();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -1, max: count }), async (index) => {
        const from = firstSortKeyChangedAfter(someSecond + index);
        expect([...(await keysFrom(table, byChange, from))].sort()).toEqual(keys.filter((key) => key >= from));
      }),
      { numRuns: 4 },
    );
  });

  it.each([0.02, 0.1, 0.5, 1])(
    'cost at most 7 read units for 1,000 of them, and 8, for a share of %d',
    async (share) => {
      const from = firstSortKeyChangedAfter(someSecond + count * (1 - share));
      const { result, units } = await unitsOf(() => keysFrom(table, byChange, from));
      expect(units).toBeLessThanOrEqual((7 * result.length) / 1_000 + 8);
    },
  );
});

describe('some keys of a position tree', () => {
  it.each([1, 7, 400])('are found in their leaves, if every %dth is looked for', async (step) => {
    const all = customers.map((customer) => sortKeyOf('email', customer)).sort();
    const keys = all.filter((_, index) => index % step === 0).slice(0, 100);
    const { result, units } = await unitsOf(() =>
      nodesBetween(table, { ...trees, list: 'email' }, { version: 1, range: { keys: ['!', ...keys, '~'] } }),
    );
    const found = new Set(result.flatMap(({ node }) => (isLeaf(node) ? node.keys : [])));
    expect(keys.filter((key) => !found.has(key))).toEqual([]);
    expect(units).toBeLessThanOrEqual(keys.length / 2 + 15);
  });
});

describe('keys from a time on, after rows of all ages have changed', () => {
  it('cost as much as before: changed rows are appended to the tree', async () => {
    const changing = customers.filter((_, index) => index % 80 === 7);
    const changes = changing.flatMap((customer, index) => {
      const after = { ...customer, updatedUnix: someSecond + count + index };
      const [before, moved] = [customer, after].map((one) => ({ updated: sortKeyOf('updated', one) }));
      return (
        positionChangeItem(orgId, 'customers', { id: customer.userId, version: 2, before, after: moved ?? {} }) ?? []
      );
    });
    await putItems(table, changes);
    const before = firstSortKeyChangedAfter(someSecond + count - 1_000);
    const waiting = await keysFrom(table, byChange, before);
    await applyPositionChanges(table, trees);
    const { result, units } = await unitsOf(() => keysFrom(table, byChange, before));
    expect(new Set(result)).toEqual(new Set(waiting));
    expect(result.length).toBeGreaterThan(1_050);
    expect(units).toBeLessThanOrEqual((7 * result.length) / 1_000 + 8);
  });
});
