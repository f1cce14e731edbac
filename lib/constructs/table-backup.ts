import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import type { GatelineTable } from './gateline-table.ts';

/** As long as point-in-time recovery reaches back. */
const kept = Duration.days(35);

/** The vault in the other region. An operator creates it once, because a stack has one region (docs/operating.md). */
const copyVaultName = (stage: string): string => `gateline-${stage}-copy`;

interface TableBackupProps {
  readonly config: StageConfig;
  readonly key: Key;
  readonly table: GatelineTable;
  readonly copyRegion: string;
  /** The region of the deployment; undefined if it is not known at synthesis. */
  readonly deployRegion: string | undefined;
}

/**
 * A backup of the table every night, with a copy in another region. Point-in-time recovery is finer, but it is lost with the
 * account's access to the table or with the region. The lock of the vault keeps backups from everyone, operators included.
 */
export class TableBackup extends Construct {
  constructor(scope: Construct, id: string, { config, key, table, copyRegion, deployRegion }: TableBackupProps) {
    super(scope, id);
    const { stage } = config;
    checkCopyRegion(copyRegion, deployRegion);
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: `gateline-${stage}`,
      encryptionKey: key,
      removalPolicy: removalPolicyOf(config),
      // After the days of `changeableFor` the lock is final: no backup can be deleted before its time.
      lockConfiguration: {
        minRetention: Duration.days(7),
        maxRetention: Duration.days(365),
        changeableFor: Duration.days(3),
      },
    });
    const copyVaultArn = Stack.of(this).formatArn({
      service: 'backup',
      region: copyRegion,
      resource: 'backup-vault',
      resourceName: copyVaultName(stage),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: `gateline-${stage}`,
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'nightly',
          scheduleExpression: Schedule.cron({ hour: '16', minute: '0' }),
          startWindow: Duration.hours(1),
          completionWindow: Duration.hours(8),
          deleteAfter: kept,
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'CopyVault', copyVaultArn),
              deleteAfter: kept,
            },
          ],
        }),
      ],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason:
        'AWS Backup requires a service role. AWS maintains this managed policy for that purpose, and only AWS Backup can assume the role.',
    });
    plan.addSelection('Table', { role, resources: [BackupResource.fromArn(this.#tableInUse(config, table))] });
  }

  /** A restored table takes the place of the table of the state stack. */
  #tableInUse({ restoredTable }: StageConfig, table: GatelineTable): string {
    if (restoredTable === undefined) return table.tableArn;
    return Stack.of(this).formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: restoredTable.tableName,
    });
  }
}

/** AWS would accept the plan, and every copy would fail or be lost with the region of the stage. */
function checkCopyRegion(copyRegion: string, deployRegion: string | undefined): void {
  const known = RegionInfo.regions.map(({ name }) => name);
  if (!known.includes(copyRegion)) {
    throw new Error(
      `backupCopyRegion in lib/stage-config.ts is ${copyRegion}, which is no region of AWS that the CDK knows. Set it to one of: ${known.join(', ')}.`,
    );
  }
  if (deployRegion === undefined) return;
  if (copyRegion === deployRegion) {
    throw new Error(
      `backupCopyRegion in lib/stage-config.ts is ${copyRegion}, the region of the stage. Set it to another region, so that the copies survive the loss of this one.`,
    );
  }
  const [copies, stage] = [copyRegion, deployRegion].map((name) => RegionInfo.get(name).partition);
  if (copies !== stage) {
    throw new Error(
      `backupCopyRegion in lib/stage-config.ts is ${copyRegion}, in another partition of AWS than ${deployRegion}. Backups are not copied between partitions.`,
    );
  }
}
