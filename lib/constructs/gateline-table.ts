import { RemovalPolicy } from 'aws-cdk-lib';
import { type Attribute, AttributeType, Billing, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableSchema } from '../../shared/data/table-schema.ts';
import type { StageConfig } from '../stage-config.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** The one table, on demand, with the stream that announces what was written. */
export class GatelineTable extends TableV2 {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      globalSecondaryIndexes: tableSchema.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
      })),
      timeToLiveAttribute: tableSchema.timeToLive,
      dynamoStream: StreamViewType.NEW_IMAGE,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: config.keepData },
      deletionProtection: config.keepData,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
