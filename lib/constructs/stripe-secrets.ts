import type { Construct } from 'constructs';
import { StageSecret, type StageSecretProps } from './stage-secret.ts';

/** The operator stores the Stripe key here. Every stage has this secret, so a stage can change its provider. */
export class StripeKey extends StageSecret {
  constructor(scope: Construct, id: string, props: StageSecretProps) {
    super(scope, id, props, {
      description: 'secret key of the Stripe account. Set it on stages that use Stripe.',
      notRotated:
        'Stripe issues this API key, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
  }
}

/** The operator stores the signing secret of the webhook endpoint at Stripe here. Until then no signature matches. */
export class StripeWebhookSecret extends StageSecret {
  constructor(scope: Construct, id: string, props: StageSecretProps) {
    super(scope, id, props, {
      description: 'signing secret of the webhook endpoint at Stripe. Set it on stages that use Stripe.',
      notRotated:
        'Stripe issues this secret, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
  }
}
