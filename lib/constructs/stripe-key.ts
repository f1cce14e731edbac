import { Validations } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

/** The operator stores the Stripe key here. Every stage has this secret, so that a stage can change its provider. */
export class StripeKey extends Secret {
  constructor(scope: Construct, id: string, { config, key }: { config: StageConfig; key: Key }) {
    super(scope, id, {
      description: `Gateline (${config.stage}): secret key of the Stripe account. Set it on stages that use Stripe.`,
      encryptionKey: key,
      removalPolicy: removalPolicyOf(config),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Stripe issues this API key, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
  }
}
