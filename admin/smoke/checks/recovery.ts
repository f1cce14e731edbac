import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
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
];

async function withoutReplica(secretIds: readonly string[]): Promise<string[]> {
  const client = new SecretsManagerClient({});
  try {
    const described = await Promise.all(
      secretIds.map(async (SecretId) => ({
        SecretId,
        ...(await client.send(new DescribeSecretCommand({ SecretId }))),
      })),
    );
    return described
      .filter(({ ReplicationStatus = [] }) => !ReplicationStatus.some(({ Status }) => Status === 'InSync'))
      .map(({ SecretId }) => SecretId);
  } finally {
    client.destroy();
  }
}
