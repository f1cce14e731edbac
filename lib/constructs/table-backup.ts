import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, type IBackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import type { Alarms } from './alarms.ts';
import { alarmOnBackups } from './backup-alarms.ts';
import { type GatelineTable, tableInUse } from './gateline-table.ts';

/** As long as point-in-time recovery reaches back, also for the copies of a week. */
const kept = Duration.days(35);
/** The copies of single nights. The lock of the vault allows no less. */
const nightsCopied = Duration.days(7);

/** The vault in the other region. An operator creates it once, because a stack has one region (docs/operating.md). */
const copyVaultName = (stage: string): string => `gateline-${stage}-copy`;

interface TableBackupProps {
  readonly config: StageConfig;
  readonly key: Key;
  readonly table: GatelineTable;
  /** Undefined after the loss of a region, until the operator has chosen another one. */
  readonly copyRegion: string | undefined;
  readonly alarms: Alarms;
}

/**
 * A backup of the table every night, with a copy in another region. Point-in-time recovery is finer, but it is lost with the
 * account's access to the table or with the region. The lock of the vault keeps backups from everyone, operators included.
 */
export class TableBackup extends Construct {
  constructor(scope: Construct, id: string, { config, key, table, copyRegion, alarms }: TableBackupProps) {
    super(scope, id);
    const { stage } = config;
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
    const copyVault = copyRegion === undefined ? undefined : this.#copyVault(stage, copyRegion);
    const copyTo = (deleteAfter: Duration) =>
      copyVault && { copyActions: [{ destinationBackupVault: copyVault, deleteAfter }] };
    const window = { startWindow: Duration.hours(1), completionWindow: Duration.hours(8) };
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: `gateline-${stage}`,
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'nightly',
          scheduleExpression: Schedule.cron({ hour: '16', minute: '0' }),
          deleteAfter: kept,
          ...window,
          ...copyTo(nightsCopied),
        }),
        // A backup of its own, because a rule keeps all of its copies equally long.
        new BackupPlanRule({
          ruleName: 'weekly',
          scheduleExpression: Schedule.cron({ hour: '18', minute: '0', weekDay: 'SUN' }),
          deleteAfter: nightsCopied,
          ...window,
          ...copyTo(kept),
        }),
      ],
    });
    const role = this.#role('Role', 'AWSBackupServiceRolePolicyForBackup');
    // IAM is global: the role exists when this region does not.
    this.#role('RestoreRole', 'AWSBackupServiceRolePolicyForRestores');
    plan.addSelection('Table', { role, resources: [BackupResource.fromArn(tableInUse(config, table))] });
    alarmOnBackups(alarms, vault.backupVaultName, copyVault?.backupVaultName);
  }

  #role(id: string, policy: string): Role {
    const role = new Role(this, id, {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(`service-role/${policy}`)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`,
      reason:
        'AWS Backup requires a service role. AWS maintains this managed policy for that purpose, and only AWS Backup can assume the role.',
    });
    return role;
  }

  #copyVault(stage: string, region: string): IBackupVault {
    const arn = Stack.of(this).formatArn({
      service: 'backup',
      region,
      resource: 'backup-vault',
      resourceName: copyVaultName(stage),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return BackupVault.fromBackupVaultArn(this, 'CopyVault', arn);
  }
}
