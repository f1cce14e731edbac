import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/** The way to the payment provider: the sandbox needs none; Stripe's key stands in a secret of its own. */
export class Payments extends Construct {
  /** Holds Stripe's secret key, once somebody has put it there. */
  readonly stripeKey: Secret | undefined;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    if (config.payments === 'sandbox') return;
    this.stripeKey = new Secret(this, 'StripeKey', {
      description: `Gateline (${config.stage}): the secret key of Stripe. Made empty of meaning; put yours in`,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.stripeKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Stripe makes this key and rolls it; we only keep it.',
    });
  }

  environment(isUsed: boolean): Record<string, string> {
    return isUsed ? { PAYMENTS: this.stripeKey?.secretArn ?? 'sandbox' } : {};
  }

  grants(isUsed: boolean): Record<string, PolicyStatement[]> {
    if (!isUsed || this.stripeKey === undefined) return {};
    const resources = [this.stripeKey.secretArn];
    return { Payments: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources })] };
  }
}
