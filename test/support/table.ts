import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { CloudOptions } from '../../local/cloud/cloud.ts';
import { ModelDatabase } from '../../local/cloud/dynamodb/model/database.ts';
import { startModelDatabase } from '../../local/cloud/dynamodb/model/serve.ts';
import { convertItems } from '../../local/cloud/dynamodb/model/wire-values.ts';
import { forgetHashKeys } from '../../shared/data/table/hash-key.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../tools/fixtures/create-table.ts';
import { startedDynamoDbLocal } from './dynamodb-local.ts';
import { recordShapes } from './expressions/known-shapes.ts';

/** Whether the tables are in the model, which takes a fraction of the CPU time, or in DynamoDB Local. */
const isModel = process.env.TABLE !== 'dynamodb-local';

/** The tables of the test file that this worker runs. */
const database = new ModelDatabase(recordShapes);
let endpoint: string | undefined;

/** Called before each test file. */
export async function prepareTestTables(): Promise<void> {
  database.clear();
  // Every local stack gives its table the same name.
  forgetHashKeys();
  endpoint ??= isModel ? (await startModelDatabase(database)).endpoint : await startedDynamoDbLocal();
}

/** Options of a local cloud with a database in memory, of the same kind as the test tables: a new one, or this model. */
export function inMemory(model = new ModelDatabase()): Pick<CloudOptions, 'data' | 'startDatabase'> {
  return { data: 'memory', ...(isModel && { startDatabase: () => startModelDatabase(model) }) };
}

/** The address of the test tables, for programs that are configured with one. */
export function testEndpoint(): string {
  if (endpoint === undefined) throw new Error('test/support/setup.ts has not run.');
  return endpoint;
}

export function testClientConfig(): DynamoDBClientConfig {
  return {
    ...batchClientConfig,
    endpoint: testEndpoint(),
    ...(isModel && { requestHandler: inProcess, signer: unsigned }),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** The model reads no signature, and a seventh of the time of a call is its signature. */
const unsigned = { sign: async <Request>(request: Request) => request };

/** Takes the place of the SDK's HTTP client. A call waits for its turn, so calls meet as on a network. */
const inProcess = {
  async handle({ headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }) {
    await nextTurn();
    const response = database.request(headers['x-amz-target'] ?? '', new TextDecoder().decode(body));
    return { response: { statusCode: response.status, headers: {}, body: Buffer.from(response.body) } };
  },
};

/** A new empty table of the same shape as the stack's. */
export async function createTestTable(): Promise<{ table: Table }> {
  const name = `test-${randomUUID()}`;
  await createTable(name, testClientConfig());
  return { table: openTestTable(name) };
}

/** Another client of a test table. Nothing is retried on the model: a test of retries opens the table with `testClientConfig`. */
export function openTestTable(name: string): Table {
  return callDirectly(openTable(name, testClientConfig()), database);
}

/**
 * On the model, only the first step of the SDK runs, which has the middleware of the table and of tests; serializing, signing and
 * parsing would take three quarters of the time.
 */
export function callDirectly(table: Table, model: ModelDatabase): Table {
  // On a busy machine, DynamoDB Local takes seconds for what DynamoDB does in milliseconds, and no test is about durations.
  if (!isModel) return { ...table, transactionMs: 120_000 };
  const { middlewareStack } = table.client;
  for (const name of unused) middlewareStack.remove(name);
  middlewareStack.add(
    (_next, { commandName = '' }) =>
      async ({ input }) => {
        await nextTurn();
        const called = model.call(commandName.replace(/Command$/, ''), convertItems(input, storable));
        // biome-ignore lint/suspicious/noExplicitAny: the output of any command
        const output: any = { ...convertItems(called, storable), $metadata: { httpStatusCode: 200, attempts: 1 } };
        return { output, response: {} };
      },
    { step: 'serialize', priority: 'high', name: 'callModel' },
  );
  return table;
}

/** What the SDK sets up again for each call: steps that the model does not reach, and a filter for a log that nobody reads. */
const unused = ['loggerMiddleware', 'contentLengthMiddleware', 'getUserAgentMiddleware', 'hostHeaderMiddleware'];

/** A copy of a value, as the SDK would store it: without fields that are undefined. It refuses what the SDK refuses. */
function storable(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.filter((inner) => inner !== undefined).map(storable);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (!isPlain(value)) throw new TypeError(`The SDK cannot store ${String(value)}.`);
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, storable(inner)]));
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
