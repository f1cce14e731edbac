import { Validations } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

/** The secret of the stack. Data that is encrypted with it is unreadable without it, so the secret is retained with the data. */
export class GatelineSecret extends Secret {
  constructor(scope: Construct, id: string, { config, key }: { config: StageConfig; key: Key }) {
    super(scope, id, {
      description: `Gateline (${config.stage}): seals list cursors and encrypts the secrets of webhook endpoints`,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      encryptionKey: key,
      removalPolicy: removalPolicyOf(config),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The secrets of webhook endpoints are encrypted with this value. Automatic rotation would make them unreadable.',
    });
  }
}
