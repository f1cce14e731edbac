import { Validations } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Secret, type SecretStringGenerator } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import type { StageRegion } from '../stage-region.ts';

interface StageSecretProps {
  readonly config: StageConfig;
  readonly key: Key;
  readonly region: StageRegion;
}

export interface StageSecretContents {
  readonly description: string;
  /** What the secret contains at first; a random text by default. */
  readonly generateSecretString?: SecretStringGenerator;
  /** Why Secrets Manager does not rotate it. */
  readonly notRotated: string;
}

/**
 * A secret of the stage: encrypted with its key, retained with its data, and replicated to the region of the copies, where it is
 * needed with them. The replica has the key that AWS manages there.
 */
export class StageSecret extends Secret {
  constructor(
    scope: Construct,
    id: string,
    { config, key, region }: StageSecretProps,
    { description, notRotated, ...contents }: StageSecretContents,
  ) {
    super(scope, id, {
      ...contents,
      description: `Gateline (${config.stage}): ${description}`,
      encryptionKey: key,
      replicaRegions: region.copies === undefined ? [] : [{ region: region.copies }],
      removalPolicy: removalPolicyOf(config),
    });
    Validations.of(this).acknowledge({ id: 'AwsSolutions-SMG4', reason: notRotated });
  }
}
