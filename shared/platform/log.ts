import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';
import { isLogOff, release, stage } from './env.ts';

type Fields = Readonly<Record<string, unknown>>;

let isCold = true;
let version = '';
let invocation: Fields = {};
/** The fields of one message of a batch. Messages are handled concurrently, so a variable would mix them. */
const messageFields = new AsyncLocalStorage<Fields>();

/** Writes structured entries. They never contain a key, a body, a query string or personal data: only ids, counts, codes and durations. */
export const log = {
  /**
   * Sets the invocation that the following entries belong to, and the API request if it is one. The log group and its stream say
   * which function of which stage and version it is.
   */
  addContext(
    { awsRequestId, functionVersion }: Pick<Context, 'awsRequestId' | 'functionVersion'>,
    fields: Fields = {},
  ): void {
    version = functionVersion;
    invocation = { ...(isCold && { cold_start: true }), function_request_id: awsRequestId, ...fields };
    isCold = false;
  },
  /** Adds the fields to every entry that the work writes. */
  within<Result>(fields: Fields, work: () => Result): Result {
    return messageFields.run({ ...messageFields.getStore(), ...fields }, work);
  },
  /** The API request that the current work belongs to, for a row whose later log entries name it. */
  requestId(): string | undefined {
    const { api_request_id: id }: Fields = { ...invocation, ...messageFields.getStore() };
    return typeof id === 'string' ? id : undefined;
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

/** Counts the outcome of a task, by worker or operation. */
export function countOutcome(operation: string, outcome: string, count = 1): void {
  write(process.stdout, { ...metrics([directive(byOperation, [outcome])]), operation, [outcome]: count });
}

export interface MeasuredRequest {
  readonly isError: boolean;
  readonly outcome: string;
  readonly latencyMs: number;
  /** A streamed response lasts as long as the client reads, so the latency of the stage leaves it out. */
  readonly isStreamed: boolean;
  /** Whether the request missed the objective of its operation; undefined if the operation has none. */
  readonly missesObjective: boolean | undefined;
  /** Whether the operation is released gradually: its failures are counted by version, for the alarm that ends a release. */
  readonly isReleasedGradually: boolean;
  /** Whether its outcomes and its latency are metrics of their own. Of all others the entry has them for a query of the log: a metric costs as much as 600 MB of log. */
  readonly isMeasured: boolean;
}

/**
 * Writes the one entry of a request, with what it counts and measures over the whole stage, and by operation where it sells or admits: a second entry would
 * repeat half of it, and every byte is paid for.
 */
export function logRequest(operation: string, request: MeasuredRequest, fields: Fields): void {
  const { isError, outcome, latencyMs, isStreamed, missesObjective, isReleasedGradually, isMeasured } = request;
  const values = {
    [outcome]: 1,
    Latency: latencyMs,
    // Written for every request, so its average is the share of requests that miss the objective.
    ...(missesObjective !== undefined && { ObjectiveMissed: missesObjective ? 1 : 0 }),
  };
  // The average is the share of failed requests of a version.
  const ofVersion = { ReleaseFailed: outcome === 'Failed' ? 1 : 0 };
  const directives = [
    ...(isMeasured ? [directive(byOperation, Object.keys(values))] : []),
    ...ofStage(outcome, isStreamed),
    ...(isReleasedGradually ? [directive(byVersion, Object.keys(ofVersion))] : []),
  ];
  const entry = isError ? toEntry('ERROR', 'request failed', fields) : toEntry('INFO', 'request', fields);
  const counted = { operation, ...values, ...(isReleasedGradually && { version, ...ofVersion }) };
  const counts = directives.length === 0 ? {} : metrics(directives);
  write(isError ? process.stderr : process.stdout, { ...entry, ...counted, ...counts });
}

const countedOverAll: ReadonlySet<string> = new Set(['Failed', 'PaymentRefused']);

/** What is also counted over all operations, for an alarm on any of them. */
function ofStage(outcome: string, isStreamed: boolean): Fields[] {
  const names = [...(isStreamed ? [] : ['Latency']), ...(countedOverAll.has(outcome) ? [outcome] : [])];
  return names.length === 0 ? [] : [directive(byStage, names)];
}

const byStage = ['stage'];
const byOperation = [...byStage, 'operation'];
const byVersion = [...byOperation, 'version'];

function directive(dimensions: readonly string[], names: readonly string[]): Fields {
  const Metrics = names.map((Name) => (Name === 'Latency' ? { Name, Unit: 'Milliseconds' } : { Name }));
  return { Namespace: 'Gateline', Dimensions: [dimensions], Metrics };
}

/** CloudWatch reads metrics from log entries in its embedded metric format. */
function metrics(CloudWatchMetrics: readonly Fields[]): Fields {
  return { _aws: { Timestamp: Date.now(), CloudWatchMetrics }, stage: stage() };
}

function toEntry(level: string, message: string, fields: Fields): Fields {
  const timestamp = new Date().toISOString();
  return {
    level,
    message,
    timestamp,
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
