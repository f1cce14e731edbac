import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { SalesLedger } from '../../shared/data/sales-ledger.ts';
import type { Table } from '../../shared/data/table.ts';
import { itemsLike } from '../support/sales.ts';
import { perform, story, tell } from '../support/sales-story.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

type Item = Record<string, unknown>;
const own = ['ORD', 'ORV', 'UNI', 'BAR', 'SCN', 'CNT'];

/** Items as they can be compared: without the marks of scans, versions and shards, which nothing but chance decides. */
function comparable(items: readonly Item[]): unknown[] {
  const counters = new Map<string, Map<string, number>>();
  const others: string[] = [];
  for (const { pk, sk, v: _, ...rest } of items) {
    const partition = String(pk);
    if (!partition.startsWith('CNT#')) {
      others.push(
        JSON.stringify([partition, sk, Object.entries(rest).sort()]).replaceAll(/(\d{10}#\w{9})\w{4}/g, '$1'),
      );
      continue;
    }
    const name = `${partition.replace(/#([SX])\d+$/, '#$1')} ${sk}`;
    const sums = counters.get(name) ?? new Map<string, number>();
    for (const [attribute, count] of Object.entries(rest)) {
      sums.set(attribute, (sums.get(attribute) ?? 0) + Number(count));
    }
    counters.set(name, sums);
  }
  const sums = [...counters].map(([name, each]) => JSON.stringify([name, [...each].filter(([, n]) => n !== 0).sort()]));
  return [...others, ...sums.filter((text) => !text.endsWith('[]]'))].sort();
}

it('a ledger holds the items that recording the same deeds one by one leaves in the table', async () => {
  let orgs = 0;
  await fc.assert(
    fc.asyncProperty(story({ sales: 6, changes: 4, scans: 8 }), async (deeds) => {
      orgs += 1;
      const orgId = `org_${orgs}`;
      const ledger = new SalesLedger(orgId);
      const sold = new Set<number>();
      for (const deed of deeds) {
        await perform(table, orgId, deed);
        tell(ledger, sold, deed);
        if (deed.kind === 'sale') sold.add(deed.sale.orderId);
      }
      const recorded = await Promise.all(own.map((kind) => itemsLike(table, `${kind}#${orgId}#`)));
      expect(comparable(ledger.items())).toEqual(comparable(recorded.flat()));
    }),
    { numRuns: 5 },
  );
});
