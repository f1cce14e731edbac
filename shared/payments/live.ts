import type { Table } from '../data/table/table.ts';
import { systemClock } from '../platform/clock.ts';
import { payments as configured, stripePublishableKey, stripeUrl } from '../platform/env.ts';
import { secretText } from '../platform/secret.ts';
import { type Payments, paymentTimeoutMs } from './payments.ts';
import type { PaymentProvider } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';
import { stripeProvider } from './stripe.ts';
import { openStripeClient, stripeAddress } from './stripe-client.ts';
import { stripeClientWithKeyReload } from './stripe-key-reload.ts';

/** The key and the connections are kept for the life of an instance, until Stripe rejects the key. */
let stripe: Promise<PaymentProvider> | undefined;

/**
 * The provider that the stack configures: the sandbox, or Stripe with a key from Secrets Manager. The sandbox needs the
 * address of the API where a response leads the buyer to its page.
 */
export function livePayments(table: Table, baseUrl = ''): Payments {
  const isSandbox = configured() === 'sandbox';
  const sandbox = sandboxProvider(table, baseUrl);
  return {
    current: async () => (isSandbox ? sandbox : configuredStripe()),
    async byName(name) {
      if (name === sandbox.name) return isSandbox ? sandbox : undefined;
      return isSandbox ? undefined : configuredStripe();
    },
    timeoutMs: paymentTimeoutMs,
  };
}

function configuredStripe(): Promise<PaymentProvider> {
  const source = {
    readKey: async () => (await secretText(configured())).trim(),
    clientOf: (key: string) => openStripeClient(key, stripeAddress(stripeUrl())),
    clock: systemClock,
  };
  stripe ??= stripeClientWithKeyReload(source)
    .then((client) => stripeProvider(client, stripePublishableKey()))
    .catch((error: unknown) => {
      // A failure is not cached: the next request tries again.
      stripe = undefined;
      throw error;
    });
  return stripe;
}
