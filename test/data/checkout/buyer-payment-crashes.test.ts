import { expect, it } from 'vitest';
import { runBuyerPaymentCrash, waysToPay } from '../../support/faults/buyer-payment-crash-scenario.ts';
import { openPaymentWorlds, worldNames } from '../../support/payment-worlds.ts';

const { table, world } = openPaymentWorlds();

const crashes = [
  { step: 'begin', crashes: { at: 4, when: 'after' }, recoverBy: 'retry' },
  { step: 'verify', crashes: { at: 3, when: 'after' }, recoverBy: 'sweep' },
] as const;

// `npm run test:faults` crashes at every call of every step.
it.each(worldNames.flatMap((name) => waysToPay.map((way) => [name, way] as const)))(
  'a payment with %s by %s whose process crashes ends in one charge and one order',
  async (name, way) => {
    for (const [index, crash] of crashes.entries()) {
      const orgId = `org_${name}_${waysToPay.indexOf(way)}_${index}`;
      expect(await runBuyerPaymentCrash({ table: table(), orgId, world: world(name), way, ...crash })).toBe(true);
    }
  },
);
