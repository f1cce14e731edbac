import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { runCheckoutCrash } from '../../support/faults/checkout-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/**
 * test/faults tries every call and every kind of recovery. This test crashes once after each call that writes
 * something.
 */
it('a checkout that crashes ends in one charge and one order, or in neither', async () => {
  let hasCrashed = true;
  for (let at = 1; hasCrashed; at += 3) {
    const recoverBy = at % 2 === 0 ? 'sweep' : 'retry';
    hasCrashed = await runCheckoutCrash({
      table,
      orgId: `org_${at}`,
      card: 'pm_card_visa',
      crashes: { at, when: 'after' },
      recoverBy,
    });
    if (at === 1) expect(hasCrashed).toBe(true);
  }
});
