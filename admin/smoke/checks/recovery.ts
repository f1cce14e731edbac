import {
  DescribeSecretCommand,
  type DescribeSecretCommandOutput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Check, failed, notProvable, proved } from '../check.ts';
import { ofType } from '../target.ts';

/** Checks of what must exist before a region is lost. */
export const recoveryChecks: readonly Check[] = [
  {
    id: 'secret-replicas',
    assumption: 'Every secret of a stage with backups is also in the region of the copies.',
    async run(target) {
      if (ofType(target, 'AWS::Backup::BackupPlan').length === 0)
        return notProvable(`${target.stage} has no backups, and so no region of copies.`);
      const secrets = ofType(target, 'AWS::SecretsManager::Secret').map(({ physicalId }) => physicalId);
      const without = await withoutReplica([...secrets, `gateline/${target.stage}/signing-key`]);
      return without.length === 0
        ? proved(`${secrets.length + 1} secrets have a replica.`)
        : failed(
            `These secrets would be lost with the region: ${without.join(', ')}.`,
            'Run: aws secretsmanager replicate-secret-to-regions --secret-id <secret> --add-replica-regions Region=<backupCopyRegion>',
          );
    },
  },
  {
    id: 'signing-key-encryption',
    assumption: 'The signing key of a stage with real data is encrypted with the key of the stage.',
    async run(target) {
      if (ofType(target, 'AWS::Backup::BackupPlan').length === 0)
        return notProvable(`${target.stage} keeps no data, and its key is deleted with the stack.`);
      const [dataKey] = ofType(target, 'AWS::KMS::Key');
      const SecretId = `gateline/${target.stage}/signing-key`;
      const { KmsKeyId = 'the key of AWS' } = await describeSecret(SecretId);
      return dataKey !== undefined && KmsKeyId.endsWith(`key/${dataKey.physicalId}`)
        ? proved(`${SecretId} uses the key of the stage.`)
        : failed(
            `${SecretId} is encrypted with ${KmsKeyId}.`,
            `Run: aws secretsmanager update-secret --secret-id ${SecretId} --kms-key-id <output DataKeyArn of Gateline-${target.stage}-state>`,
          );
    },
  },
];

async function describeSecret(SecretId: string): Promise<DescribeSecretCommandOutput> {
  const client = new SecretsManagerClient({});
  try {
    return await client.send(new DescribeSecretCommand({ SecretId }));
  } finally {
    client.destroy();
  }
}

async function withoutReplica(secretIds: readonly string[]): Promise<string[]> {
  const described = await Promise.all(
    secretIds.map(async (secretId) => ({ secretId, ...(await describeSecret(secretId)) })),
  );
  return described
    .filter(({ ReplicationStatus = [] }) => !ReplicationStatus.some(({ Status }) => Status === 'InSync'))
    .map(({ secretId }) => secretId);
}
