import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';
import { isLogOff, release } from './env.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = 'gateline';
let isCold = true;
let invocation: Fields = {};
/** The fields of one message of a batch. Messages are handled concurrently, so a variable would mix them. */
const messageFields = new AsyncLocalStorage<Fields>();

/** Writes structured entries. They never contain a key, a body, a query string or personal data: only ids, counts, codes and durations. */
export const log = {
  /** Sets the invocation that the following entries belong to, and the API request if it is one. */
  addContext(
    {
      awsRequestId,
      functionName,
      invokedFunctionArn,
      memoryLimitInMB,
    }: Pick<Context, 'awsRequestId' | 'functionName' | 'invokedFunctionArn' | 'memoryLimitInMB'>,
    fields: Fields = {},
  ): void {
    invocation = {
      cold_start: isCold,
      function_arn: invokedFunctionArn,
      function_memory_size: memoryLimitInMB,
      function_name: functionName,
      function_request_id: awsRequestId,
      ...fields,
    };
    isCold = false;
  },
  /** Adds the fields to every entry that the work writes. */
  within<Result>(fields: Fields, work: () => Result): Result {
    return messageFields.run({ ...messageFields.getStore(), ...fields }, work);
  },
  info(message: string, fields: Fields): void {
    write(process.stdout, toEntry('INFO', message, fields));
  },
  warn(message: string, fields: Fields): void {
    write(process.stderr, toEntry('WARN', message, fields));
  },
  error(message: string, fields: Fields): void {
    write(process.stderr, toEntry('ERROR', message, fields));
  },
};

/** Counts the outcome of a request or a task, by operation or worker, in CloudWatch's embedded metric format. */
export function countOutcome(operation: string, outcome: string, count = 1): void {
  const metric = {
    Namespace: 'Gateline',
    Dimensions: [['service', 'operation']],
    Metrics: [{ Name: outcome, Unit: 'Count' }],
  };
  write(process.stdout, {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metric] },
    service,
    operation,
    [outcome]: count,
  });
}

function toEntry(level: string, message: string, fields: Fields): Fields {
  const timestamp = new Date().toISOString();
  return {
    level,
    message,
    timestamp,
    service,
    release: release(),
    ...invocation,
    ...messageFields.getStore(),
    ...fields,
  };
}

/** Bypasses the console, because Lambda adds a prefix to its output. */
function write(to: NodeJS.WritableStream, line: Fields): void {
  if (!isLogOff()) to.write(`${JSON.stringify(line)}\n`);
}
