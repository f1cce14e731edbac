import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/** The way to the payment provider. The sandbox needs none; Stripe's key stands in a secret of its own. */
export class Payments extends Construct {
  /** Holds Stripe's secret key, once somebody has put it there. Every stage has it, so that each may change its provider. */
  readonly stripeKey: Secret;
  private readonly provider: StageConfig['payments'];

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.provider = config.payments;
    this.stripeKey = new Secret(this, 'StripeKey', {
      description: `Gateline (${config.stage}): the secret key of Stripe, to be put here where payments are Stripe's`,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.stripeKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Stripe makes this key and rolls it; we only keep it.',
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
