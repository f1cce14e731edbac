import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { rounds, runRounds } from '../../support/basket-actions.ts';
import { givenSlicedOnSale } from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('after random basket actions, sequential or concurrent, every ticket is available, held or sold', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (chosen) => {
      runs += 1;
      const orgId = `org_${runs}`;
      // The stock is one item or three slices.
      const given = runs % 2 === 0 ? () => givenSlicedOnSale(table, orgId, 7) : undefined;
      await runRounds(table, orgId, chosen, given);
    }),
    { numRuns: amount(5, 150) },
  );
});
