import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { expectAgreement, performAll, tableWithFaults } from '../support/figures/figures-agreement.ts';
import { randomActivities, randomRange } from '../support/figures/order-scenario.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('every figure equals the sum of its rows after thousands of concurrent orders, refunds and scans with injected faults', async () => {
  const ranges = fc.sample(randomRange, 150);
  const samples = fc.sample(randomActivities({ orders: 700, changes: 400, scans: 1_600 }), 3);
  for (const [index, activities] of samples.entries()) {
    expect(activities.length).toBeGreaterThanOrEqual(1_350);
    const orgId = `org_${index}`;
    await performAll(tableWithFaults(table), orgId, activities);
    await expectAgreement(table, orgId, ranges);
  }
});
