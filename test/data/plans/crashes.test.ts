import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import {
  type PlanCrash,
  runChargeCrash,
  runPayCrash,
  runPlanPurchaseCrash,
  runPlanRefundCrash,
} from '../../support/faults/plan-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** `npm run test:faults` runs every call. */
async function crashAtEvery(when: 'before' | 'after', run: (crash: PlanCrash) => Promise<boolean>): Promise<void> {
  for (const at of crashPoints()) {
    if (await run({ table, at, when })) continue;
    expect(at).toBeGreaterThan(5);
    return;
  }
}

describe.each(crashMoments)('a process of instalments that dies %s a call', (when) => {
  it('the worker charges each instalment once', async () => {
    await crashAtEvery(when, runChargeCrash);
  });

  it('the worker whose card is declined records it once', async () => {
    await crashAtEvery(when, (crash) => runChargeCrash(crash, 'pm_card_chargeCustomerFail'));
  });

  it('a member who pays is charged once', async () => {
    await crashAtEvery(when, runPayCrash);
  });

  it('a refund returns every charge, or none', async () => {
    await crashAtEvery(when, runPlanRefundCrash);
  });

  it('a purchase is charged once, and has one member and one plan', async () => {
    await crashAtEvery(when, runPlanPurchaseCrash);
  });
});
