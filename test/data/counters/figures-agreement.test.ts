import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { expectAgreement, performAll, tableWithFaults } from '../../support/figures/figures-agreement.ts';
import { randomActivities, randomRange } from '../../support/figures/order-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('every figure equals the sum of its rows after concurrent orders, refunds and scans with injected faults', async () => {
  let orgs = 0;
  const ranges = fc.array(randomRange, { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(randomActivities({ orders: 14, changes: 8, scans: 20 }), ranges, async (activities, asked) => {
      orgs += 1;
      const orgId = `org_${orgs}`;
      await performAll(tableWithFaults(table), orgId, activities);
      await expectAgreement(table, orgId, asked);
    }),
    { numRuns: 4, endOnFailure: true },
  );
  expect(orgs).toBeGreaterThan(0);
});
