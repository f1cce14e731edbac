import { expect, it } from 'vitest';
import { runCheckoutCrash } from '../../support/faults/checkout-crash-scenario.ts';
import { openPaymentWorlds, worldNames } from '../../support/payment-worlds.ts';

const { table, world } = openPaymentWorlds();

/** test/faults tries every call and every kind of recovery. This test crashes after every third call. */
it.each(worldNames)('a checkout with %s that crashes ends in one charge and one order, or in neither', async (name) => {
  let at = 1;
  for (let hasCrashed = true; hasCrashed; at += 3) {
    const recoverBy = at % 2 === 0 ? 'sweep' : 'retry';
    hasCrashed = await runCheckoutCrash({
      table: table(),
      orgId: `org_${name}_${at}`,
      world: world(name),
      card: 'pm_card_visa',
      crashes: { at, when: 'after' },
      recoverBy,
    });
  }
  expect(at).toBeGreaterThan(10);
});

it('a checkout with a membership that crashes makes one member with one term and one order, or neither', async () => {
  let at = 1;
  for (let hasCrashed = true; hasCrashed; at += 3) {
    const crash = { table: table(), world: world('sandbox'), card: 'pm_card_visa', withMembership: true } as const;
    const recoverBy = at % 2 === 0 ? 'sweep' : 'retry';
    hasCrashed = await runCheckoutCrash({ ...crash, orgId: `org_m${at}`, crashes: { at, when: 'after' }, recoverBy });
  }
  expect(at).toBeGreaterThan(10);
});
