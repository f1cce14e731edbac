import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import { type AwsJsonClient, AwsServiceError } from '../http/aws-json-client.ts';
import { type FillTable, putItems } from './put-items.ts';
import type { Table } from './tables.ts';
import type { UnfinishedTables } from './unfinished-tables.ts';

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.string() }));
const Index = v.object({
  IndexName: v.string(),
  KeySchema,
  Projection: v.object({ ProjectionType: v.string(), NonKeyAttributes: v.optional(v.array(v.string())) }),
});

const Description = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  KeySchema,
  GlobalSecondaryIndexes: v.optional(v.array(Index), []),
  LocalSecondaryIndexes: v.optional(v.array(Index), []),
  StreamSpecification: v.optional(v.object({ StreamViewType: v.optional(v.string()) })),
});

export interface CreateTablesOptions {
  dynamodb: AwsJsonClient;
  unfinished: UnfinishedTables;
  /** The table of an earlier run. If it is gone it was lost, and a new table would hide that. */
  known?: string | undefined;
  fillTable?: FillTable;
}

/** Creates missing tables. A table from an earlier run must still match the template. */
export async function createTables(tables: readonly Table[], options: CreateTablesOptions): Promise<void> {
  const { unfinished } = options;
  for (const table of tables) {
    if (unfinished.has(table))
      await options.dynamodb.call('DeleteTable', { TableName: table.name }).catch(ignoreMissing);
    const existing = await describe(table, options.dynamodb);
    if (existing !== undefined) compare(table, existing);
    else if (table.name === options.known) throw lostTable(table);
    else if (options.fillTable === undefined) await create(table, options.dynamodb);
    else await createFilled(table, options.fillTable, { dynamodb: options.dynamodb, unfinished });
  }
}

/**
 * The stream is enabled after the table is filled: the initial data must not trigger functions, and recording the stream is
 * half of the work of a write in DynamoDB Local. If filling is interrupted, the next run starts again.
 */
async function createFilled(
  table: Table,
  fillTable: FillTable,
  { dynamodb, unfinished }: { dynamodb: AwsJsonClient; unfinished: UnfinishedTables },
): Promise<void> {
  const { StreamSpecification, ...definition } = table.definition;
  unfinished.add(table);
  await create({ ...table, definition: { ...definition, StreamSpecification: undefined } }, dynamodb);
  await fillTable((items) => putItems(dynamodb, table.name, items));
  if (StreamSpecification !== undefined) {
    await dynamodb.call('UpdateTable', {
      TableName: table.name,
      StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
    });
  }
  unfinished.delete(table);
}

function lostTable({ name }: Table): CloudError {
  return new CloudError(
    `The table ${name} is missing in the data folder. Restore it from an export, or delete the data folder to start with new data.`,
  );
}

async function describe(table: Table, dynamodb: AwsJsonClient): Promise<v.InferOutput<typeof Description> | undefined> {
  try {
    const response = await dynamodb.call('DescribeTable', { TableName: table.name });
    return v.parse(v.object({ Table: Description }), response).Table;
  } catch (error) {
    return ignoreMissing(error);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof AwsServiceError && error.code === 'ResourceNotFoundException') return undefined;
  throw error;
}

async function create({ name, definition }: Table, dynamodb: AwsJsonClient): Promise<void> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes, StreamSpecification } =
    definition;
  await dynamodb.call('CreateTable', {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions,
    KeySchema,
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    ...(LocalSecondaryIndexes.length > 0 && { LocalSecondaryIndexes }),
    ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
  });
}

function compare({ name, definition }: Table, existing: v.InferOutput<typeof Description>): void {
  const differences = [
    ['keys', definition.KeySchema, existing.KeySchema],
    ['key attributes', byName(definition.AttributeDefinitions), byName(existing.AttributeDefinitions)],
    ['indexes', byName(definition.GlobalSecondaryIndexes), byName(existing.GlobalSecondaryIndexes)],
    ['local indexes', byName(definition.LocalSecondaryIndexes), byName(existing.LocalSecondaryIndexes)],
    ['stream', definition.StreamSpecification?.StreamViewType, existing.StreamSpecification?.StreamViewType],
  ].filter(([, wanted, found]) => !isDeepStrictEqual(wanted, found));
  if (differences.length === 0) return;
  const which = differences.map(([what]) => String(what)).join(' and ');
  throw new CloudError(
    `The stored table ${name} has different ${which} than the template. Delete the data folder to start with new data.`,
  );
}

/** DynamoDB returns lists in any order. */
function byName(items: readonly ({ AttributeName: string } | { IndexName: string })[]): unknown[] {
  const nameOf = (item: (typeof items)[number]) => ('IndexName' in item ? item.IndexName : item.AttributeName);
  return [...items].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}
