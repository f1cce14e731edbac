import { describe, expect, it } from 'vitest';
import {
  type BuyerPaymentCrash,
  buyerPaymentSteps,
  runBuyerPaymentCrash,
  waysToPay,
} from '../support/faults/buyer-payment-crash-scenario.ts';
import { openPaymentWorlds, worldNames } from '../support/payment-worlds.ts';

const { table, world } = openPaymentWorlds();
let scenarios = 0;

const cases = worldNames.flatMap((name) => waysToPay.map((way) => [name, way] as const));

describe.each(cases)('crashes of a payment with %s by %s', (name, way) => {
  const recoveries = name === 'stripe' ? (['sweep', 'retry', 'event'] as const) : (['sweep', 'retry'] as const);
  const steps = buyerPaymentSteps.filter((step) => step !== 'event' || name === 'stripe');
  it.each(steps.flatMap((step) => recoveries.map((recoverBy) => [step, recoverBy] as const)))(
    'a payment whose step %s crashes at any call, followed by: %s, ends in one charge and one order, or in neither',
    async (step, recoverBy) => {
      for (const when of ['before', 'after'] as const) {
        const crash = (at: number): BuyerPaymentCrash => {
          scenarios += 1;
          const orgId = `org_${scenarios}`;
          return { table: table(), orgId, world: world(name), way, step, crashes: { at, when }, recoverBy };
        };
        let at = 1;
        while (await runBuyerPaymentCrash(crash(at))) at += 1;
        expect(at).toBeGreaterThan(4);
      }
    },
  );
});
