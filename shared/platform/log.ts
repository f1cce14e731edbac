import type { Context } from 'aws-lambda';
import { isLogOff, traceId } from './env.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = 'gateline';
let isCold = true;
let invocation: Fields = {};

/** Structured lines. Never a key, a body, a query string or a fan's data: only ids, counts, codes and durations. */
export const log = {
  /** What the lines from now on belong to. */
  addContext({ awsRequestId, functionName, invokedFunctionArn, memoryLimitInMB }: Context): void {
    invocation = {
      cold_start: isCold,
      function_arn: invokedFunctionArn,
      function_memory_size: memoryLimitInMB,
      function_name: functionName,
      function_request_id: awsRequestId,
    };
    isCold = false;
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

/** Counts what became of a request or a piece of work, by operation or worker, in the format that CloudWatch makes metrics of. */
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
  return { level, message, timestamp, service, ...invocation, xray_trace_id: traceId(), ...fields };
}

/** Past the console, which Lambda puts a head of its own before. */
function write(to: NodeJS.WritableStream, line: Fields): void {
  if (!isLogOff()) to.write(`${JSON.stringify(line)}\n`);
}
