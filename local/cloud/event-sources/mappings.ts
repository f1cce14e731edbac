import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { Table } from '../dynamodb/tables.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import type { Queue } from '../sqs/queues.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { Flag, Numeric, readProperties } from '../template/properties.ts';
import { compileFilter, type RecordFilter } from './filter.ts';

interface Mapping {
  logicalId: string;
  arn: string;
  definition: FunctionDefinition;
  batchSize: number;
  windowMs: number;
  filter: RecordFilter;
  reportsItemFailures: boolean;
}

export interface QueueMapping extends Mapping {
  kind: 'queue';
  queue: Queue;
  /** The number of batches that the function handles at once. */
  concurrency: number;
}

export interface StreamMapping extends Mapping {
  kind: 'stream';
  table: Table;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  bisectsOnError: boolean;
  retryAttempts: number;
  recordAgeMs: number;
  failureDestinationArn: string | undefined;
}

const MappingProperties = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  Enabled: v.optional(Flag, true),
  BatchSize: v.optional(Numeric),
  MaximumBatchingWindowInSeconds: v.optional(Numeric, 0),
  FilterCriteria: v.optional(v.object({ Filters: v.optional(v.array(v.object({ Pattern: v.string() })), []) }), {
    Filters: [],
  }),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(Numeric) })),
  StartingPosition: v.optional(v.picklist(['TRIM_HORIZON', 'LATEST'])),
  BisectBatchOnFunctionError: v.optional(Flag, false),
  MaximumRetryAttempts: v.optional(v.union([v.literal(-1), Numeric]), -1),
  MaximumRecordAgeInSeconds: v.optional(v.union([v.literal(-1), Numeric]), -1),
  DestinationConfig: v.optional(v.object({ OnFailure: v.optional(v.object({ Destination: v.string() })) })),
  TumblingWindowInSeconds: v.optional(v.literal(0, 'tumbling windows are not supported'), 0),
});

/** Lambda starts to read a queue with five concurrent batches. */
const defaultConcurrency = 5;
const defaultQueueBatchSize = 10;
const defaultStreamBatchSize = 100;

export interface MappingSources {
  functions: readonly FunctionDefinition[];
  queues: readonly Queue[];
  tables: readonly Table[];
}

export function readMappings(template: ParsedTemplate, sources: MappingSources): (QueueMapping | StreamMapping)[] {
  return template.ofType('AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    const properties = readProperties(resource, MappingProperties);
    return properties.Enabled ? readMapping(resource, properties, sources) : [];
  });
}

function readMapping(
  { logicalId }: Resource,
  properties: v.InferOutput<typeof MappingProperties>,
  { functions, queues, tables }: MappingSources,
): QueueMapping | StreamMapping {
  const arn = properties.EventSourceArn;
  const definition = findFunction(functions, properties.FunctionName);
  if (definition === undefined)
    throw new CloudError(`The event source ${logicalId} has an unknown function: ${properties.FunctionName}`);
  const shared = {
    logicalId,
    arn,
    definition,
    windowMs: properties.MaximumBatchingWindowInSeconds * 1000,
    filter: compileFilter(
      properties.FilterCriteria.Filters.map(({ Pattern }) => Pattern),
      logicalId,
    ),
    reportsItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
  };
  const queue = queues.find((candidate) => candidate.arn === arn);
  if (queue !== undefined) {
    const concurrency = properties.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency;
    return { ...shared, kind: 'queue', queue, concurrency, batchSize: properties.BatchSize ?? defaultQueueBatchSize };
  }
  const table = tables.find(({ streamArn }) => streamArn === arn);
  if (table === undefined)
    throw new CloudError(`The event source ${logicalId} is neither a queue nor a stream of the template: ${arn}`);
  if (table.definition.StreamSpecification === undefined)
    throw new CloudError(`The event source ${logicalId} is the stream of a table without a stream`);
  if (properties.StartingPosition === undefined)
    throw new CloudError(`The event source ${logicalId} has no starting position`);
  return {
    ...shared,
    kind: 'stream',
    table,
    batchSize: properties.BatchSize ?? defaultStreamBatchSize,
    startingPosition: properties.StartingPosition,
    bisectsOnError: properties.BisectBatchOnFunctionError,
    retryAttempts: unlimitedIfNegative(properties.MaximumRetryAttempts),
    recordAgeMs: unlimitedIfNegative(properties.MaximumRecordAgeInSeconds) * 1000,
    failureDestinationArn: properties.DestinationConfig?.OnFailure?.Destination,
  };
}

function unlimitedIfNegative(value: number): number {
  return value < 0 ? Number.POSITIVE_INFINITY : value;
}
