import { setMaxListeners } from 'node:events';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CapacityMeter, measureCapacity } from './capacity-meter.ts';

/** The one table, as every query and transaction of this room takes it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  readonly meter: CapacityMeter;
}

/** For the platform team's tools, which move much data and have nobody waiting: better late than given up. */
export const batchClientConfig: DynamoDBClientConfig = {
  maxAttempts: 10,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

const unused = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

export function openTable(name: string, config: DynamoDBClientConfig = {}): Table {
  const meter = new CapacityMeter();
  // A call that hangs must not eat the function's whole time: two quick retries find a healthy path sooner than one long wait.
  const base = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...config,
  });
  spare(base);
  const client = DynamoDBDocumentClient.from(base, { marshallOptions: { removeUndefinedValues: true } });
  measureCapacity(client, meter);
  return { name, client, meter };
}

/**
 * Leaves out what the SDK does at each call for nobody here, up to a fifth of the CPU of a call: copying all that is sent and
 * answered for a logger that there is not, putting together what it says of itself, looking for a trace to hand on, which
 * the table has no use for, and making a new signer. The one signer asks for the credentials each time, as the others would.
 */
function spare({ middlewareStack, config }: DynamoDBClient): void {
  for (const name of unused) middlewareStack.remove(name);
  const makeSigner = config.signer;
  let signer: ReturnType<typeof makeSigner> | undefined;
  config.signer = (authScheme) => {
    signer ??= makeSigner(authScheme);
    return signer;
  };
}

/**
 * The table for one request: every call ends when the request does. A handler that was answered for because its time was up
 * would otherwise go on reading while the instance serves somebody else.
 */
export function abortable(table: Table, abortSignal: AbortSignal): Table {
  // Many calls at once all listen to it; that is no leak.
  setMaxListeners(0, abortSignal);
  const client: DynamoDBDocumentClient = Object.create(table.client, {
    send: {
      value: (command: Parameters<DynamoDBDocumentClient['send']>[0], own?: { abortSignal?: AbortSignal }) =>
        table.client.send(command, {
          abortSignal: own?.abortSignal === undefined ? abortSignal : AbortSignal.any([abortSignal, own.abortSignal]),
        }),
    },
  });
  return { ...table, client };
}
