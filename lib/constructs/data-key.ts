import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

/** Services that encrypt with the key for their callers. */
const services = ['backup', 'dynamodb', 'secretsmanager'];

/**
 * The customer managed key of personal data and secrets. A caller that may read the table or a secret may use the key through
 * that service and in no other way, as with the keys that AWS manages: access stays a matter of the grants on the table.
 */
export class DataKey extends Key {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      description: `Gateline (${config.stage}): encrypts the table and the secrets`,
      enableKeyRotation: true,
      removalPolicy: removalPolicyOf(config),
    });
    const { region, account } = Stack.of(this);
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: [
          'kms:Encrypt',
          'kms:Decrypt',
          'kms:ReEncrypt*',
          'kms:GenerateDataKey*',
          'kms:DescribeKey',
          'kms:CreateGrant',
        ],
        resources: ['*'],
        conditions: {
          StringEquals: {
            'kms:CallerAccount': account,
            'kms:ViaService': services.map((service) => `${service}.${region}.amazonaws.com`),
          },
        },
      }),
    );
  }
}
