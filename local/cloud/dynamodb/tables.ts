import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { TableKeys } from '../iam/dynamodb-access.ts';
import type { RestoredTable } from '../table-in-use.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { Flag, readProperties } from '../template/properties.ts';

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const Index = v.object({
  IndexName: v.string(),
  KeySchema,
  Projection: v.object({ ProjectionType: v.string(), NonKeyAttributes: v.optional(v.array(v.string())) }),
});

const TableProperties = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  KeySchema,
  GlobalSecondaryIndexes: v.optional(v.array(Index), []),
  LocalSecondaryIndexes: v.optional(v.array(Index), []),
  StreamSpecification: v.optional(v.object({ StreamViewType: v.string() })),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.optional(v.string()), Enabled: Flag })),
});

export interface Table {
  logicalId: string;
  name: string;
  /** The ARN of the stream in templates. DynamoDB Local has its own ARN for it. */
  streamArn: string;
  keys: TableKeys;
  keyAttributes: string[];
  ttlAttribute: string | undefined;
  definition: v.InferOutput<typeof TableProperties>;
}

/** The tables of the template. A restored table takes the place of its only one. */
export function readTables(template: ParsedTemplate, restored: RestoredTable | undefined): Table[] {
  const tables = template.ofType('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table').map(readTable);
  if (restored === undefined) return tables;
  const [table, ...others] = tables;
  if (table === undefined || others.length > 0) {
    throw new CloudError(`The restored table ${restored.tableName} needs a template with one table`);
  }
  return [{ ...table, name: restored.tableName, streamArn: restored.streamArn }];
}

function readTable(resource: Resource): Table {
  const definition = readProperties(resource, TableProperties);
  const indexes = [...definition.GlobalSecondaryIndexes, ...definition.LocalSecondaryIndexes];
  const ttl = definition.TimeToLiveSpecification;
  return {
    logicalId: resource.logicalId,
    name: resource.ref,
    streamArn: resource.attributes.StreamArn ?? '',
    keys: {
      partitionKey: partitionKey(definition.KeySchema),
      indexPartitionKeys: Object.fromEntries(indexes.map((index) => [index.IndexName, partitionKey(index.KeySchema)])),
    },
    keyAttributes: definition.KeySchema.map(({ AttributeName }) => AttributeName),
    ttlAttribute: ttl?.Enabled ? ttl.AttributeName : undefined,
    definition,
  };
}

function partitionKey(schema: v.InferOutput<typeof KeySchema>): string {
  return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
