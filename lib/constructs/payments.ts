import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** How functions reach the payment provider: Stripe with the key in a secret, or the sandbox, which needs nothing. */
export class Payments {
  readonly #stripeKeyArn: string | undefined;
  readonly #publishableKey: string;

  /** Without a secret, the provider is the sandbox. */
  constructor(stripeKeyArn: string | undefined, publishableKey = 'none') {
    this.#stripeKeyArn = stripeKeyArn;
    this.#publishableKey = publishableKey;
  }

  environment(isUsed: boolean): Record<string, string> {
    return isUsed ? { PAYMENTS: this.#stripeKeyArn ?? 'sandbox', STRIPE_PUBLISHABLE_KEY: this.#publishableKey } : {};
  }

  grants(isUsed: boolean): Record<string, PolicyStatement[]> {
    if (!isUsed || this.#stripeKeyArn === undefined) return {};
    const resources = [this.#stripeKeyArn];
    return { Payments: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources })] };
  }
}
