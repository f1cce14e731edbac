import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { playRounds, rounds } from '../../support/basket-actions.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A few games; many are played in test/faults. */
it('whatever is done to baskets, every ticket is available, held or sold', async () => {
  let games = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (played) => {
      games += 1;
      await playRounds(table, `org_${games}`, played);
    }),
    { numRuns: 5 },
  );
});
