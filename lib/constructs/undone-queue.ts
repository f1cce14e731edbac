import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

/** Notes which part of the table's stream was given up. The rows themselves are in the table, and swept. */
export class UndoneQueue extends Queue {
  constructor(scope: Construct, id: string, alarms: Alarms) {
    super(scope, id, { retentionPeriod: Duration.days(14), enforceSSL: true });
    alarms.onUndone('undone', this);
    Validations.of(this).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'It is the dead-letter queue of a stream.' });
  }
}
