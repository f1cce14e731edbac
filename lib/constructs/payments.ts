import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { readSecret } from './gateline-function.ts';

/** The secrets of Stripe, by their ARNs. */
export interface StripeSecrets {
  readonly keyArn: string;
  readonly webhookSecretArn: string;
}

/** How functions reach the payment provider: Stripe with the key in a secret, or the sandbox, which needs nothing. */
export class Payments {
  readonly #stripe: StripeSecrets | undefined;
  readonly #publishableKey: string;

  /** Without secrets, the provider is the sandbox. */
  constructor(stripe: StripeSecrets | undefined, publishableKey = 'none') {
    this.#stripe = stripe;
    this.#publishableKey = publishableKey;
  }

  environment(isUsed: boolean): Record<string, string> {
    return isUsed ? { PAYMENTS: this.#stripe?.keyArn ?? 'sandbox', STRIPE_PUBLISHABLE_KEY: this.#publishableKey } : {};
  }

  grants(isUsed: boolean): Record<string, PolicyStatement[]> {
    return isUsed && this.#stripe !== undefined ? { Payments: [readSecret(this.#stripe.keyArn)] } : {};
  }

  /** For the one function that receives the events of Stripe. */
  eventEnvironment(isReceiver: boolean): Record<string, string> {
    return isReceiver && this.#stripe !== undefined ? { STRIPE_WEBHOOK_SECRET: this.#stripe.webhookSecretArn } : {};
  }

  eventGrants(isReceiver: boolean): Record<string, PolicyStatement[]> {
    return isReceiver && this.#stripe !== undefined
      ? { StripeEvents: [readSecret(this.#stripe.webhookSecretArn)] }
      : {};
  }
}
