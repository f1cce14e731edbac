import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

/** Receives the position of each stream batch that a worker gave up on. The rows stay in the table, where the sweepers find them. */
export class FailedBatchesQueue extends Queue {
  constructor(scope: Construct, id: string, alarms: Alarms) {
    super(scope, id, { retentionPeriod: Duration.days(14), enforceSSL: true });
    alarms.onFailedBatches('failed-batches', this);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This queue is itself the failure destination of the DynamoDB stream consumers.',
    });
  }
}
