import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient } from '../../../shared/payments/stripe-client.ts';
import { paymentHistory, runPaymentHistory } from '../../support/payment-histories.ts';
import { type PaymentWorld, sandboxWorld, stripeWorld } from '../../support/payment-worlds.ts';
import { StripeDouble } from '../../support/stripe-double.ts';
import { createTestTable } from '../../support/table.ts';

const double = new StripeDouble();
let table: Table;
let worlds: Readonly<Record<'sandbox' | 'stripe', PaymentWorld>>;

beforeAll(async () => {
  ({ table } = await createTestTable());
  const client = await openStripeClient('sk_test_double', await double.start());
  worlds = { sandbox: sandboxWorld, stripe: stripeWorld(double, stripeProvider(client)) };
});
afterAll(() => double.stop());

it.each(['sandbox', 'stripe'] as const)(
  'whatever buyers, the sweeper, crashes and answers of %s do, a charge has its one order or is refunded',
  async (name) => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(paymentHistory, async (history) => {
        runs += 1;
        await runPaymentHistory(table, `org_${name}_${runs}`, { world: worlds[name], history });
      }),
      { numRuns: 3 },
    );
  },
);
