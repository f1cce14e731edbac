import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';

const section = 'a-backup-is-missing';

/** AWS Backup publishes a number of jobs every five minutes while it is not zero. The vault of a copy job is its destination. */
function jobs(metricName: string, vaultName: string, period = Duration.minutes(5)): Metric {
  const dimensionsMap = { BackupVaultName: vaultName };
  return new Metric({ namespace: 'AWS/Backup', metricName, dimensionsMap, statistic: 'Sum', period });
}

/** Alarms on backups that fail, and on those that do not happen. `copyVault` is undefined where nothing is copied. */
export function alarmOnBackups(alarms: Alarms, vault: string, copyVault: string | undefined): void {
  const failures = [
    { name: 'backup-failed', metric: jobs('NumberOfBackupJobsFailed', vault), what: 'The nightly backup failed' },
    {
      name: 'backup-expired',
      metric: jobs('NumberOfBackupJobsExpired', vault),
      what: 'The nightly backup did not begin',
    },
    ...(copyVault === undefined
      ? []
      : [
          {
            name: 'copy-failed',
            metric: jobs('NumberOfCopyJobsFailed', copyVault),
            what: 'The copy of a backup to the other region failed',
          },
        ]),
  ];
  for (const { name, metric, what } of failures) {
    alarms.raise(name, {
      metric,
      threshold: 1,
      description: `${what}. No client is affected yet: point-in-time recovery still works, but the loss of the region would cost more than a day. Read the reason in the console of AWS Backup and start the job again.`,
      section,
    });
  }
  const hour = Duration.hours(1);
  alarms.raise('backup-missing', {
    metric:
      copyVault === undefined
        ? jobs('NumberOfBackupJobsCompleted', vault, hour)
        : jobs('NumberOfCopyJobsCompleted', copyVault, hour),
    below: true,
    threshold: 1,
    evaluation: { datapoints: 26, outOf: 26 },
    description: `No ${copyVault === undefined ? 'backup' : 'copy of a backup in the other region'} was completed for 26 hours. The loss of the region would cost all orders since the last one. Look at the jobs in the console of AWS Backup. The alarm is expected until the first night after the first deployment.`,
    section,
  });
}
