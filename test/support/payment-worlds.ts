import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll } from 'vitest';
import { updateOrganisation } from '../../shared/data/organisations/organisation.ts';
import { sandboxChargeKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { PaymentProvider } from '../../shared/payments/provider.ts';
import { sandboxProvider } from '../../shared/payments/sandbox.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../shared/payments/sandbox-token.ts';
import { stripeProvider } from '../../shared/payments/stripe.ts';
import { openStripeClient } from '../../shared/payments/stripe-client.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { type Intent, succeed } from '../../tools/fixtures/stripe-intents.ts';
import { checkoutDepsOf, givenOnSale, type TestCheckoutDeps } from './baskets.ts';
import { StripeDouble } from './stripe-double.ts';
import { type IntentEventType, intentEvent, receive } from './stripe-events.ts';
import { createTestTable } from './table.ts';

export interface SucceededCharge {
  readonly amountMinor: number;
  readonly refundedMinor: number;
}

/** A payment provider as a test sees it: what buyers do there, and what was charged. */
export interface PaymentWorld {
  readonly name: WorldName;
  providerOf(table: Table): PaymentProvider;
  /** The buyer acts on every payment whose secret was shown, ended ones included. */
  actAsBuyer(table: Table, orgId: string, shown: ReadonlySet<string>, outcome: string): Promise<void>;
  /** Payments that the provider was still processing succeed. */
  endProcessing(table: Table, orgId: string, basketId: number): Promise<void>;
  succeeded(table: Table, orgId: string, basketId: number): Promise<readonly SucceededCharge[]>;
  /** The provider reports every payment of the basket, truly or not. The sandbox sends no events. */
  report(deps: TestCheckoutDeps, basketId: number, type: IntentEventType): Promise<void>;
}

export const worldNames = ['sandbox', 'stripe'] as const;
export type WorldName = (typeof worldNames)[number];

/** A table and both providers, for the tests of a file. */
export interface PaymentWorlds {
  readonly table: () => Table;
  readonly world: (name: WorldName) => PaymentWorld;
  readonly double: StripeDouble;
}

export function openPaymentWorlds(): PaymentWorlds {
  const double = new StripeDouble();
  let table: Table | undefined;
  let stripe: PaymentWorld | undefined;
  beforeAll(async () => {
    ({ table } = await createTestTable());
    const client = await openStripeClient('sk_test_double', await double.start());
    stripe = stripeWorld(double, stripeProvider(client, 'pk_test_1'));
  });
  afterAll(() => double.stop());
  return {
    table: () => started(table),
    world: (name) => (name === 'sandbox' ? sandboxWorld : started(stripe)),
    double,
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The worlds open before the first test, not when tests are declared.');
  return part;
}

interface Shop {
  readonly world: PaymentWorld;
  readonly capacity: number;
  /** Wraps the provider. */
  readonly around?: (provider: PaymentProvider) => PaymentProvider;
}

/** A new organisation with an account at the provider, and a price on sale. */
export async function givenShop(
  table: Table,
  orgId: string,
  { world, capacity, around = (provider) => provider }: Shop,
): Promise<{ readonly deps: TestCheckoutDeps; readonly price: PriceRecord }> {
  await givenOrganisation(table, orgId);
  await updateOrganisation(table, orgId, { paymentAccountId: `acct_${orgId}` });
  const provider = around(world.providerOf(table));
  const deps = checkoutDepsOf(table, orgId, { around: () => provider });
  return { deps, price: (await givenOnSale(table, orgId, { capacity })).price };
}

const Shown = v.object({ payment: v.object({ client_secret: v.string() }) });

/** The secret of the payment that a result shows the buyer; undefined if it shows none. */
export function shownSecret(result: unknown): string | undefined {
  const parsed = v.safeParse(Shown, result);
  return parsed.success ? parsed.output.payment.client_secret : undefined;
}

const Charge = v.object({ sk: v.string(), status: v.string(), amountMinor: v.number(), refundedMinor: v.number() });

async function chargesOf(table: Table, orgId: string, basketId: number) {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :basket)',
      ExpressionAttributeValues: { ':pk': sandboxChargeKey(orgId, '').pk, ':basket': `sbx_${basketId}-` },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => v.parse(Charge, item));
}

const sandboxWorld: PaymentWorld = {
  name: 'sandbox',
  providerOf: (table) => sandboxProvider(table),
  async actAsBuyer(table, _orgId, shown, outcome) {
    for (const token of shown) {
      const charge = await readSandboxPayment(table, token);
      if (charge !== undefined) await decideSandboxPayment(table, charge, outcome === 'pay' ? 'approve' : 'fail');
    }
  },
  endProcessing: async () => undefined,
  succeeded: async (table, orgId, basketId) =>
    (await chargesOf(table, orgId, basketId)).filter(({ status }) => status === 'paid'),
  report: async () => undefined,
};

/** One double serves all tests of a file. */
function stripeWorld(double: StripeDouble, provider: PaymentProvider): PaymentWorld {
  return {
    name: 'stripe',
    providerOf: () => provider,
    async actAsBuyer(_table, _orgId, shown, outcome) {
      for (const { id } of double.intents.filter((intent) => shown.has(`${intent.id}_secret_double`))) {
        if (outcome === 'pay' || outcome === 'fail' || outcome === 'process') double.actAsBuyer(id, outcome, 'ideal');
      }
    },
    async endProcessing(_table, orgId, basketId) {
      for (const intent of intentsOfBasket(double, orgId, basketId))
        if (intent.status === 'processing') succeed(intent, 'ideal');
    },
    succeeded: async (_table, orgId, basketId) =>
      intentsOfBasket(double, orgId, basketId)
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, amount }) => ({
          amountMinor: amount,
          refundedMinor: double.refunds
            .filter(({ payment_intent }) => payment_intent === id)
            .reduce((sum, refund) => sum + refund.amount, 0),
        })),
    async report(deps, basketId, type) {
      for (const intent of intentsOfBasket(double, deps.orgId, basketId)) {
        // The route answers with 500 if it fails, and Stripe sends the event again.
        await receive(deps, intentEvent(intent, type)).catch(() => undefined);
      }
    },
  };
}

/** Baskets of different organisations may have the same id. */
export function intentsOfBasket(double: StripeDouble, orgId: string, basketId: number): readonly Intent[] {
  return double.intents.filter(
    ({ metadata }) => metadata.gateline_org === orgId && metadata.gateline_basket === String(basketId),
  );
}
