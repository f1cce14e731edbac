import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { itemsLike, orderWords, someEvent } from '../../../tools/fixtures/orders.ts';
import { comparable } from '../../support/comparable-items.ts';
import { applyToLedger, perform, randomActivities } from '../../support/figures/order-scenario.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const kinds = ['ORD', 'ORT', 'ORV', 'UNI', 'BAR', 'SCN', 'CNT'];

it('the order ledger of the demo holds the same items that writing the same activities one by one leaves in the table', async () => {
  let orgs = 0;
  await fc.assert(
    fc.asyncProperty(randomActivities({ orders: 6, changes: 4, scans: 8 }), async (activities) => {
      orgs += 1;
      const orgId = `org_${orgs}`;
      const ledger = new OrderLedger(orgId, { spread: orgs % 2 === 0 });
      const sold = new Set<number>();
      for (const activity of activities) {
        await perform(table, orgId, activity);
        applyToLedger(ledger, sold, activity);
        if (activity.kind === 'order') sold.add(activity.placed.orderId);
      }
      const found = await Promise.all(kinds.map((kind) => itemsLike(table, `${kind}#${orgId}`)));
      // The name of one organisation may begin with that of another.
      const recorded = found.map((items) => items.filter(({ pk }) => String(pk).split('#')[1] === orgId));
      recorded.push(await orderWords(table, orgId, someEvent));
      const written = [...ledger.items()].filter(({ pk }) => kinds.some((kind) => pk.startsWith(`${kind}#`)));
      expect(comparable(written)).toEqual(comparable(recorded.flat()));
    }),
    { numRuns: amount(2, 5) },
  );
});
