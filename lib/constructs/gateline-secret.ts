import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/** The one secret of the stack. What is sealed or encrypted under it dies with it, so it is kept where data is. */
export class GatelineSecret extends Secret {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      description: `Gateline (${config.stage}): seals cursors, encrypts endpoints’ secrets`,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Endpoints’ secrets are encrypted under it: a new one would make them unreadable.',
    });
  }
}
