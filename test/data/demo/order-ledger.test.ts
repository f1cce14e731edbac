import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { comparable } from '../../support/comparable-items.ts';
import { perform, story, tell } from '../../support/figures/order-scenario.ts';
import { itemsLike } from '../../support/orders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const own = ['ORD', 'ORV', 'UNI', 'BAR', 'SCN', 'CNT'];

it('a ledger holds the items that recording the same deeds one by one leaves in the table', async () => {
  let orgs = 0;
  await fc.assert(
    fc.asyncProperty(story({ sales: 6, changes: 4, scans: 8 }), async (activities) => {
      orgs += 1;
      const orgId = `org_${orgs}`;
      const ledger = new OrderLedger(orgId, { spread: orgs % 2 === 0 });
      const sold = new Set<number>();
      for (const activity of activities) {
        await perform(table, orgId, activity);
        tell(ledger, sold, activity);
        if (activity.kind === 'sale') sold.add(activity.placed.orderId);
      }
      const recorded = await Promise.all(own.map((kind) => itemsLike(table, `${kind}#${orgId}#`)));
      expect(comparable([...ledger.items()])).toEqual(comparable(recorded.flat()));
    }),
    { numRuns: 5 },
  );
});
