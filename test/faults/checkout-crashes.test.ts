import { describe, expect, it } from 'vitest';
import { type Recovery, runCheckoutCrash } from '../support/faults/checkout-crash-scenario.ts';
import { runRefundCrash } from '../support/faults/refund-crash-scenario.ts';
import { openPaymentWorlds, worldNames } from '../support/payment-worlds.ts';

const { table, world } = openPaymentWorlds();

let scenarios = 0;
function newOrg(): string {
  scenarios += 1;
  return `org_${scenarios}`;
}

const moments = ['before', 'after'] as const;
const recoveries: readonly Recovery[] = ['sweep', 'retry', 'other card'];

/** Only the sandbox has a card that is paid and never answered. */
const cards = worldNames.flatMap((name) =>
  ['pm_card_visa', 'pm_card_declined', ...(name === 'sandbox' ? ['pm_card_late'] : [])].map(
    (card) => [name, card] as const,
  ),
);

describe.each(cards)('checkout crashes with %s and %s', (name, card) => {
  // A declined card that is tried again is declined again.
  const possible = recoveries.filter((recoverBy) => card !== 'pm_card_declined' || recoverBy !== 'retry');
  it.each(possible.flatMap((recoverBy) => moments.map((when) => [when, recoverBy] as const)))(
    'a checkout that crashes %s any of its calls, recovered by: %s, ends in one charge and one order, or in neither',
    async (when, recoverBy) => {
      let at = 1;
      const crash = { table: table(), world: world(name), card, recoverBy };
      while (await runCheckoutCrash({ ...crash, orgId: newOrg(), crashes: { at, when } })) at += 1;
      expect(at).toBeGreaterThan(5);
    },
  );
});

it.each(moments.flatMap((when) => (['sweep', 'retry'] as const).map((recoverBy) => [when, recoverBy] as const)))(
  'a checkout with a membership that crashes %s any of its calls, recovered by: %s, makes one member and one order, or neither',
  async (when, recoverBy) => {
    let at = 1;
    const crash = { table: table(), world: world('sandbox'), card: 'pm_card_visa', recoverBy, withMembership: true };
    while (await runCheckoutCrash({ ...crash, orgId: newOrg(), crashes: { at, when } })) at += 1;
    expect(at).toBeGreaterThan(5);
  },
);

it.each(moments)('a checkout whose recovery crashes %s its calls too is recovered by the next', async (when) => {
  for (let at = 2; at <= 26; at += 4) {
    for (let again = 1; again <= 25; again += 4) {
      const recoverBy = (at + again) % 2 === 0 ? 'sweep' : 'other card';
      const recoveryCrashes = { at: again, when };
      await runCheckoutCrash({
        table: table(),
        orgId: newOrg(),
        world: world('sandbox'),
        card: 'pm_card_visa',
        crashes: { at, when: 'after' },
        recoverBy,
        recoveryCrashes,
      });
    }
  }
});

it.each(moments.flatMap((when) => (['sweep', 'repeat'] as const).map((recoverBy) => [when, recoverBy] as const)))(
  'a refund that crashes %s any of its calls, recovered by: %s, refunds once, with the tickets',
  async (when, recoverBy) => {
    let at = 1;
    while (await runRefundCrash({ table: table(), orgId: newOrg(), crashes: { at, when }, recoverBy })) at += 1;
    expect(at).toBeGreaterThan(8);
  },
);
