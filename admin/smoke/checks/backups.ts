import {
  BackupClient,
  DescribeBackupVaultCommand,
  DescribeRegionSettingsCommand,
  paginateListRecoveryPointsByBackupVault,
} from '@aws-sdk/client-backup';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Check, failed, notProvable, type Outcome, proved } from '../check.ts';
import { ofType, type SmokeTarget } from '../target.ts';

/** A backup is made every night, and its copy takes some time. */
const newestHours = 26;

/** Checks of what a loss of the table or of the region would need, and of what no stack can set. */
export const backupChecks: readonly Check[] = [
  {
    id: 'backup-opt-in',
    assumption: 'AWS Backup protects and fully manages tables in both regions: without it, nothing is copied.',
    run: (target) =>
      withBackups(target, async (regions) => {
        const off: string[] = [];
        for (const region of regions) {
          const settings = await inRegion(region, (client) => client.send(new DescribeRegionSettingsCommand({})));
          const { ResourceTypeOptInPreference: optIn, ResourceTypeManagementPreference: managed } = settings;
          if (optIn?.DynamoDB !== true || managed?.DynamoDB !== true) off.push(region ?? 'the region of the stage');
        }
        return off.length === 0
          ? proved('It does.')
          : failed(
              `It does not in ${off.join(' and ')}.`,
              'Run there: aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true',
            );
      }),
  },
  {
    id: 'backup-vaults',
    assumption: 'The vaults of the backups and of their copies exist and are locked.',
    run: (target) =>
      withBackups(target, async (regions) => {
        const open: string[] = [];
        for (const [index, region] of regions.entries()) {
          const name = index === 0 ? `gateline-${target.stage}` : copyVault(target);
          const vault = await vaultOf(region, name);
          if (vault?.Locked !== true) open.push(`${name} (${vault === undefined ? 'missing' : 'not locked'})`);
        }
        return open.length === 0
          ? proved('Both are locked.')
          : failed(`${open.join(', ')}.`, 'See "The region of the copies" in docs/operating.md.');
      }),
  },
  {
    id: 'newest-copy',
    assumption: `The newest copy in the other region is less than ${newestHours} hours old.`,
    run: (target) => withBackups(target, ([, copies]) => newestCopy(target, copies)),
  },
];

const copyVault = ({ stage }: Pick<SmokeTarget, 'stage'>): string => `gateline-${stage}-copy`;
const hoursSince = (date: Date): number => (Date.now() - date.getTime()) / 3_600_000;

/** Runs a check with the region of the stage (undefined: that of the operator) and that of its copies. */
async function withBackups(
  target: SmokeTarget,
  check: (regions: readonly [undefined, string]) => Promise<Outcome>,
): Promise<Outcome> {
  if (ofType(target, 'AWS::Backup::BackupPlan').length === 0) return notProvable(`${target.stage} has no backups.`);
  const copies = await copyRegionOf(target);
  if (copies === undefined)
    return failed(
      'The secrets of the stage have no replica, so it has no region of copies.',
      'Set backupCopyRegion in lib/stage-config.ts and deploy.',
    );
  return check([undefined, copies]);
}

async function newestCopy(target: SmokeTarget, region: string): Promise<Outcome> {
  let newest: Date | undefined;
  await inRegion(region, async (client) => {
    const pages = paginateListRecoveryPointsByBackupVault({ client }, { BackupVaultName: copyVault(target) });
    for await (const { RecoveryPoints = [] } of pages)
      for (const { Status, CreationDate } of RecoveryPoints)
        if (Status === 'COMPLETED' && CreationDate !== undefined && CreationDate > (newest ?? new Date(0)))
          newest = CreationDate;
  });
  const hours = newest === undefined ? undefined : Math.floor(hoursSince(newest));
  if (hours !== undefined && hours < newestHours) return proved(`It is ${hours} hours old, in ${region}.`);
  const vault = await vaultOf(undefined, `gateline-${target.stage}`);
  if (hours === undefined && vault?.CreationDate !== undefined && hoursSince(vault.CreationDate) < newestHours)
    return notProvable('The stage is new: its first copy is made in the first night.');
  return failed(
    hours === undefined ? `${region} has no copy.` : `It is ${hours} hours old, in ${region}.`,
    'See "A backup is missing" in docs/runbook.md.',
  );
}

/** The region of the copies is that of the replicas of the secrets, which the stack makes. */
async function copyRegionOf(target: SmokeTarget): Promise<string | undefined> {
  const [secret] = ofType(target, 'AWS::SecretsManager::Secret');
  if (secret === undefined) return undefined;
  const client = new SecretsManagerClient({});
  try {
    const { ReplicationStatus = [] } = await client.send(new DescribeSecretCommand({ SecretId: secret.physicalId }));
    return ReplicationStatus[0]?.Region;
  } finally {
    client.destroy();
  }
}

async function vaultOf(region: string | undefined, BackupVaultName: string) {
  try {
    return await inRegion(region, (client) => client.send(new DescribeBackupVaultCommand({ BackupVaultName })));
  } catch (error) {
    // AWS Backup answers the name of a vault that does not exist with AccessDenied, too.
    if (error instanceof Error && /^(ResourceNotFound|AccessDenied)/.test(error.name)) return undefined;
    throw error;
  }
}

async function inRegion<Result>(
  region: string | undefined,
  use: (client: BackupClient) => Promise<Result>,
): Promise<Result> {
  const client = new BackupClient({ ...(region !== undefined && { region }) });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
