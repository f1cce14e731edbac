import type { Table } from '../data/table/table.ts';
import { systemClock } from '../platform/clock.ts';
import { payments as configured } from '../platform/env.ts';
import { secretText } from '../platform/secret.ts';
import { type Payments, paymentTimeoutMs } from './payments.ts';
import type { PaymentProvider } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';
import { stripeProvider } from './stripe.ts';
import { stripeApi } from './stripe-api.ts';
import { stripeApiWithKeyReload } from './stripe-key-reload.ts';

/** Key and connections are kept for the life of an instance, unless Stripe does not know the key any more. */
let stripe: Promise<PaymentProvider> | undefined;

/** The providers as the stack configured them: the sandbox, or Stripe with the key that stands in a secret. */
export function livePayments(table: Table): Payments {
  const isSandbox = configured() === 'sandbox';
  const sandbox = sandboxProvider(table);
  return {
    current: async () => (isSandbox ? sandbox : configuredStripe()),
    async byName(name) {
      if (name === sandbox.name) return sandbox;
      return isSandbox ? undefined : configuredStripe();
    },
    timeoutMs: paymentTimeoutMs,
  };
}

function configuredStripe(): Promise<PaymentProvider> {
  const source = {
    readKey: () => secretText(configured()),
    apiOf: (key: string) => stripeApi(key),
    clock: systemClock,
  };
  stripe ??= stripeApiWithKeyReload(source)
    .then(stripeProvider)
    .catch((error: unknown) => {
      // A failure is not kept: the next request asks again.
      stripe = undefined;
      throw error;
    });
  return stripe;
}
