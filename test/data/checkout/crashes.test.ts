import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { tellCrash } from '../../support/faults/checkout-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Every call and every way to come back is tried in test/faults; here, one after each call that leaves something behind. */
it('a checkout that dies on its way ends in one charge and one order, or none of both', async () => {
  let died = true;
  for (let at = 1; died; at += 3) {
    const rescue = at % 2 === 0 ? 'sweep' : 'retry';
    died = await tellCrash({ table, orgId: `org_${at}`, card: 'pm_card_visa', dies: { at, when: 'after' }, rescue });
    if (at === 1) expect(died).toBe(true);
  }
});
