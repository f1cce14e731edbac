import { setMaxListeners } from 'node:events';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CapacityMeter, measureCapacity } from './capacity-meter.ts';
import { writeCarried } from './row.ts';

/** The one table. Every query and transaction of `shared/data` takes it as its first argument. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  readonly meter: CapacityMeter;
  /** No attempt of a transaction is sent after this time. */
  readonly transactionMs: number;
}

/**
 * The feed shows only older events (`listHorizonMs`), so a slow transaction cannot insert an event before a position that a
 * reader of the feed has already passed.
 */
export const transactionMs = 4_000;

/** A decision or a write needs the latest state, so it reads consistently. A read that is only shown costs half without it. */
export interface ReadOptions {
  readonly consistent?: boolean;
}

/** For the platform team's CLI, which moves much data while no client waits: a late result is better than none. */
export const batchClientConfig: DynamoDBClientConfig = {
  maxAttempts: 10,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

export function openTable(name: string, config: DynamoDBClientConfig = {}): Table {
  const meter = new CapacityMeter();
  // A call that hangs must not use up the function's timeout: two quick retries find a healthy path sooner than one long wait.
  const base = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...config,
  });
  const client = DynamoDBDocumentClient.from(base, { marshallOptions: { removeUndefinedValues: true } });
  measureCapacity(client, meter);
  writeCarried(client);
  return { name, client, meter, transactionMs };
}

/**
 * The table for one request: every call is aborted when the request ends. A handler whose request timed out would otherwise
 * continue to read while the instance serves the next request.
 */
export function abortable(table: Table, abortSignal: AbortSignal): Table {
  // Many concurrent calls listen to the signal. That is not a leak, so Node's warning is switched off.
  setMaxListeners(0, abortSignal);
  const client: DynamoDBDocumentClient = Object.create(table.client, {
    send: {
      value: (command: Parameters<DynamoDBDocumentClient['send']>[0], callOptions?: { abortSignal?: AbortSignal }) =>
        table.client.send(command, {
          abortSignal:
            callOptions?.abortSignal === undefined
              ? abortSignal
              : AbortSignal.any([abortSignal, callOptions.abortSignal]),
        }),
    },
  });
  return { ...table, client };
}
