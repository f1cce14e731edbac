import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { type Rescue, runCheckoutCrash } from '../support/faults/checkout-crash-scenario.ts';
import { runRefundCrash } from '../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

let scenarios = 0;
function newOrg(): string {
  scenarios += 1;
  return `org_${scenarios}`;
}

const moments = ['before', 'after'] as const;
const rescues: readonly Rescue[] = ['sweep', 'retry', 'other card'];

describe.each(['pm_card_visa', 'pm_card_late', 'pm_card_declined'])('checkout crashes with %s', (card) => {
  // A declined card that is tried again is declined again.
  const possible = rescues.filter((rescue) => card !== 'pm_card_declined' || rescue !== 'retry');
  it.each(possible.flatMap((rescue) => moments.map((when) => [when, rescue] as const)))(
    'a checkout that crashes %s any of its calls, recovered by: %s, ends in one charge and one order, or in neither',
    async (when, rescue) => {
      let at = 1;
      while (await runCheckoutCrash({ table, orgId: newOrg(), card, dies: { at, when }, rescue })) at += 1;
      expect(at).toBeGreaterThan(5);
    },
  );
});

it.each(moments)('a checkout whose recovery crashes %s its calls too is recovered by the next', async (when) => {
  for (let at = 2; at <= 26; at += 4) {
    for (let again = 1; again <= 25; again += 4) {
      const rescue = (at + again) % 2 === 0 ? 'sweep' : 'other card';
      const rescuerDies = { at: again, when };
      await runCheckoutCrash({
        table,
        orgId: newOrg(),
        card: 'pm_card_visa',
        dies: { at, when: 'after' },
        rescue,
        rescuerDies,
      });
    }
  }
});

it.each(moments.flatMap((when) => (['sweep', 'repeat'] as const).map((rescue) => [when, rescue] as const)))(
  'a refund that crashes %s any of its calls, recovered by: %s, refunds once, with the tickets',
  async (when, rescue) => {
    let at = 1;
    while (await runRefundCrash({ table, orgId: newOrg(), dies: { at, when }, rescue })) at += 1;
    expect(at).toBeGreaterThan(8);
  },
);
