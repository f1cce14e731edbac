import { Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  CfnGlobalTable,
  ContributorInsightsMode,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** The single table, billed on demand, with a stream of new items. */
export class GatelineTable extends TableV2 {
  constructor(scope: Construct, id: string, { config, key }: { config: StageConfig; key: Key }) {
    const warm = config.warmThroughput && { warmThroughput: config.warmThroughput };
    super(scope, id, {
      ...warm,
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      globalSecondaryIndexes: tableSchema.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType[index.projection],
        ...warm,
      })),
      timeToLiveAttribute: tableSchema.timeToLive,
      dynamoStream: StreamViewType.NEW_IMAGE,
      billing: Billing.onDemand(),
      // Reports the hot key when the table throttles, in plain text, and keys contain e-mail addresses: where the data is real, an
      // operator switches it on for an hour (runbook, "The table throttles").
      contributorInsightsSpecification: { enabled: !config.keepData, mode: ContributorInsightsMode.THROTTLED_KEYS },
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: config.keepData },
      deletionProtection: config.keepData,
      removalPolicy: removalPolicyOf(config),
    });
    // The L2 property needs the region at synthesis, and the same assembly can be deployed to any.
    const resource = this.node.defaultChild;
    if (!(resource instanceof CfnGlobalTable)) throw new Error('The table has no CloudFormation resource.');
    resource.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
    resource.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', key.keyArn);
  }
}

/** The ARN of the table that the service uses. A restored table takes the place of the table of the state stack. */
export function tableInUse({ restoredTable }: StageConfig, table: GatelineTable): string {
  if (restoredTable === undefined) return table.tableArn;
  return Stack.of(table).formatArn({ service: 'dynamodb', resource: 'table', resourceName: restoredTable.tableName });
}
