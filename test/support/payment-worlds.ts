import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { sandboxChargeKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../shared/payments/provider.ts';
import { sandboxProvider } from '../../shared/payments/sandbox.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../shared/payments/sandbox-token.ts';
import type { StripeDouble } from './stripe-double.ts';
import { succeed } from './stripe-intents.ts';

export interface SucceededCharge {
  readonly amountMinor: number;
  readonly refundedMinor: number;
}

/** A payment provider as a test sees it: what buyers do there, and what was charged. */
export interface PaymentWorld {
  providerOf(table: Table): PaymentProvider;
  /** The buyer acts on every payment whose secret was shown, ended ones included. */
  actAsBuyer(table: Table, orgId: string, shown: ReadonlySet<string>, outcome: string): Promise<void>;
  /** Payments that the provider was still processing succeed. */
  endProcessing(table: Table, orgId: string, basketId: number): Promise<void>;
  succeeded(table: Table, orgId: string, basketId: number): Promise<readonly SucceededCharge[]>;
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

export const sandboxWorld: PaymentWorld = {
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
};

/** The baskets of all tests have different ids, so one double serves them all. */
export function stripeWorld(double: StripeDouble, provider: PaymentProvider): PaymentWorld {
  const intentsOf = (basketId: number) =>
    double.intents.filter(({ metadata }) => metadata.gateline_basket === String(basketId));
  return {
    providerOf: () => provider,
    async actAsBuyer(_table, _orgId, shown, outcome) {
      for (const { id } of double.intents.filter((intent) => shown.has(`${intent.id}_secret_double`))) {
        if (outcome === 'pay' || outcome === 'fail' || outcome === 'process') double.actAsBuyer(id, outcome, 'ideal');
      }
    },
    async endProcessing(_table, _orgId, basketId) {
      for (const intent of intentsOf(basketId)) if (intent.status === 'processing') succeed(intent, 'ideal');
    },
    succeeded: async (_table, _orgId, basketId) =>
      intentsOf(basketId)
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, amount }) => ({
          amountMinor: amount,
          refundedMinor: double.refunds
            .filter(({ payment_intent }) => payment_intent === id)
            .reduce((sum, refund) => sum + refund.amount, 0),
        })),
  };
}
