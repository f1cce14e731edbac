import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/** The configuration of the payment provider. The sandbox needs none; the Stripe key has its own secret. */
export class Payments extends Construct {
  /** The operator stores the Stripe key here. Every stage has this secret, so that a stage can change its provider. */
  readonly stripeKey: Secret;
  private readonly provider: StageConfig['payments'];

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.provider = config.payments;
    this.stripeKey = new Secret(this, 'StripeKey', {
      description: `Gateline (${config.stage}): secret key of the Stripe account. Set it on stages that use Stripe.`,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.stripeKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Stripe issues this API key, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
  }

  environment(isUsed: boolean): Record<string, string> {
    if (!isUsed) return {};
    return { PAYMENTS: this.provider === 'stripe' ? this.stripeKey.secretArn : this.provider };
  }

  grants(isUsed: boolean): Record<string, PolicyStatement[]> {
    if (!isUsed || this.provider !== 'stripe') return {};
    const resources = [this.stripeKey.secretArn];
    return { Payments: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources })] };
  }
}
