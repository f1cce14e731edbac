import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { badDay, expectAgreement, performAll } from '../../support/figures/figures-agreement.ts';
import { story, storyRange } from '../../support/figures/order-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('after any sales, refunds and scans at once, on a bad day, every figure is what adding up the rows gives', async () => {
  let orgs = 0;
  const ranges = fc.array(storyRange, { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(story({ sales: 14, changes: 8, scans: 20 }), ranges, async (activities, asked) => {
      orgs += 1;
      const orgId = `org_${orgs}`;
      await performAll(badDay(table), orgId, activities);
      await expectAgreement(table, orgId, asked);
    }),
    { numRuns: 4, endOnFailure: true },
  );
  expect(orgs).toBeGreaterThan(0);
});
