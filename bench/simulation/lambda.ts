import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { SimulatedTime } from '../../local/cloud/clock/simulated-time.ts';
import { drawMs, type Latency, type Random } from '../../local/cloud/dynamodb/physics/random.ts';
import { Bucket } from '../../local/cloud/dynamodb/physics/throughput.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Concurrencies } from '../../shared/domain/lambda-concurrency.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { apiEvent, lambdaContext } from '../../tools/fixtures/api-event.ts';
import { signingKeys } from '../../tools/fixtures/signing-key.ts';
import { loadHandle } from '../harness/operation-caller.ts';
import { newInstance, runIn } from './instances.ts';

export interface Request {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sent as a form instead of JSON. */
  readonly form?: string;
  readonly address?: string;
}

export interface Response {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly retryAfterSeconds: number;
  /** The status, or what a refusal is about where one status has several reasons. */
  readonly outcome: string;
}

/** The payment provider did not answer, or had too many calls. It is a 503 too, and none of the table or of Lambda. */
export const providerFailed = 'payment provider';

type Run = (event: APIGatewayProxyEvent, context: object) => Promise<LambdaResult>;
interface LambdaResult {
  readonly statusCode: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** API Gateway, the network of the region and the CPU time of the function, before and after its calls. */
const overhead: Latency = { medianMs: 14, p99Ms: 45 };
export const coldStart: Latency = { medianMs: 450, p99Ms: 1_200 };
/** The throttle of the stage in production (lib/stage-config.ts). */
const defaultRequestsPerSecond = 5_000;
/** What is left for all functions without a reservation (tools/rehearsal/check-capacity.ts). */
const unreservedConcurrency = 100;
/** The rule flood-from-one-address (lib/constructs/firewall.ts). */
const firewall = { requests: 60_000, windowMs: 300_000, retryAfterSeconds: 300 };

/** The latencies of an operation, and how its requests ended. */
export interface OperationFigures {
  readonly latenciesMs: number[];
  readonly outcomes: Map<string, number>;
}

interface LambdaOptions {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly requestsPerSecond?: number;
  /** What functions reserve, by their ids, where it is not the number of the registry. */
  readonly reserved?: Concurrencies;
  openTable(): Table;
}

/**
 * API Gateway and Lambda in simulated time: a request takes an instance that is free, or starts one. The handlers and their
 * pipeline are the deployed ones.
 */
export class SimulatedApi {
  readonly figures = new Map<string, OperationFigures>();
  readonly #options: LambdaOptions;
  readonly #throttle: Bucket;
  readonly #free = new Map<string, { readonly run: Run; readonly instance: ReturnType<typeof newInstance> }[]>();
  readonly #handles = new Map<string, Handle<Operation>>();
  /** How many requests run at once, by the function or for all that share the rest. */
  readonly #running = new Map<string, number>();
  /** The requests of each address in the current window of the firewall. */
  readonly #byAddress = new Map<string, { window: number; requests: number }>();
  readonly peaks = { concurrency: new Map<string, number>(), addressRequests: 0 };
  #instances = 0;
  #requests = 0;

  constructor(options: LambdaOptions) {
    this.#options = options;
    this.#throttle = new Bucket(options.requestsPerSecond ?? defaultRequestsPerSecond, options.time.nowMs());
  }

  /** How many instances were started. No instance ends in the hour of a simulation. */
  get instances(): number {
    return this.#instances;
  }

  async load(operation: Operation): Promise<void> {
    this.#handles.set(operation.id, await loadHandle(operation));
  }

  async send(operation: Operation, request: Request): Promise<Response> {
    const { time, random } = this.#options;
    const startedMs = time.nowMs();
    const overheadMs = drawMs(overhead, random);
    await time.sleep(overheadMs / 2);
    const response = this.#refused(request) ?? (await this.#invokeWithin(operation, request));
    await time.sleep(overheadMs / 2);
    this.#record(operation.id, response.outcome, time.nowMs() - startedMs);
    return response;
  }

  /** The preflight request of a browser: API Gateway answers it itself. */
  async preflight(address: string | undefined): Promise<Response> {
    const { time, random } = this.#options;
    const startedMs = time.nowMs();
    const overheadMs = drawMs(overhead, random);
    await time.sleep(overheadMs);
    const response = this.#refused({ ...(address !== undefined && { address }) }) ?? noContent;
    this.#record('OPTIONS', response.outcome, time.nowMs() - startedMs);
    return response;
  }

  #refused({ address }: Request): Response | undefined {
    if (this.#isBlocked(address ?? '')) return blocked;
    return this.#isThrottled() ? throttled : undefined;
  }

  #isBlocked(address: string): boolean {
    const window = Math.floor(this.#options.time.nowMs() / firewall.windowMs);
    const known = this.#byAddress.get(address);
    const counted = known?.window === window ? known : { window, requests: 0 };
    counted.requests += 1;
    this.#byAddress.set(address, counted);
    this.peaks.addressRequests = Math.max(this.peaks.addressRequests, counted.requests);
    return counted.requests > firewall.requests;
  }

  /** Lambda refuses an invocation beyond the concurrency, and API Gateway answers 503 (ADR 9). */
  async #invokeWithin(operation: Operation, request: Request): Promise<Response> {
    return this.withConcurrency(
      operation.id,
      this.reservedOf(operation),
      () => this.#invoke(operation, request),
      refusedByLambda,
    );
  }

  reservedOf({ id, runtime }: Pick<Operation, 'id'> & { readonly runtime: Pick<Operation['runtime'], 'concurrency'> }) {
    return this.#options.reserved?.[id] ?? runtime.concurrency;
  }

  /** Runs a function within its reservation, or within what all others share. */
  async withConcurrency<Result>(
    id: string,
    reserved: number | undefined,
    run: () => Promise<Result>,
    refusal: Result,
  ): Promise<Result> {
    const pool = reserved === undefined ? '' : id;
    const running = this.#running.get(pool) ?? 0;
    if (running >= (reserved ?? unreservedConcurrency)) return refusal;
    this.#running.set(pool, running + 1);
    this.peaks.concurrency.set(id, Math.max(this.peaks.concurrency.get(id) ?? 0, running + 1));
    try {
      return await run();
    } finally {
      this.#running.set(pool, (this.#running.get(pool) ?? 1) - 1);
    }
  }

  #isThrottled(): boolean {
    const hasUnits = this.#throttle.hasUnits(this.#options.time.nowMs());
    if (hasUnits) this.#throttle.take(1);
    return !hasUnits;
  }

  async #invoke(operation: Operation, request: Request): Promise<Response> {
    const { time, random } = this.#options;
    const free = this.#free.get(operation.id) ?? [];
    this.#free.set(operation.id, free);
    const known = free.pop();
    if (known === undefined) await time.sleep(drawMs(coldStart, random));
    const taken = known ?? this.#start(operation);
    try {
      const { run, instance } = taken;
      const context = lambdaContext(operation.runtime.timeoutSeconds * 1000);
      const { statusCode, body, headers } = await runIn(instance, () => run(this.#event(operation, request), context));
      const retryAfterSeconds = Number(headers?.['Retry-After'] ?? 1);
      const parsed = statusCode === 204 ? {} : JSON.parse(body);
      const outcome = outcomeOf(statusCode, parsed.error);
      return { status: statusCode, body: parsed, retryAfterSeconds, outcome };
    } finally {
      free.push(taken);
    }
  }

  #start(operation: Operation) {
    this.#instances += 1;
    const handle = this.#handles.get(operation.id);
    if (handle === undefined) throw new Error(`${operation.id} is not loaded.`);
    const table = this.#options.openTable();
    const platform = { clock: wholeMs(this.#options.time), table: () => table, signingKeys };
    const run: unknown = pipeline(operation, handle, platform);
    return { run: run as Run, instance: newInstance() };
  }

  #event(
    operation: Operation,
    { params = {}, query = {}, headers = {}, body, form, address = '203.0.113.1' }: Request,
  ): APIGatewayProxyEvent {
    this.#requests += 1;
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8';
    const sent = { ...headers, ...((body ?? form) && { 'Content-Type': type }) };
    const { requestContext } = sampleEvent;
    return {
      ...sampleEvent,
      httpMethod: operation.method,
      resource: operation.paths[0],
      headers: sent,
      multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
      pathParameters: params,
      queryStringParameters: query,
      multiValueQueryStringParameters: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, [value]]),
      ),
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      requestContext: {
        ...requestContext,
        requestId: `request-${this.#requests}`,
        extendedRequestId: `request-${this.#requests}`,
        identity: { ...requestContext.identity, sourceIp: address },
      },
    };
  }

  #record(operationId: string, outcome: string, latencyMs: number): void {
    const figures = this.figures.get(operationId) ?? { latenciesMs: [], outcomes: new Map<string, number>() };
    figures.latenciesMs.push(latencyMs);
    figures.outcomes.set(outcome, (figures.outcomes.get(outcome) ?? 0) + 1);
    this.figures.set(operationId, figures);
  }
}

/** The window of a limit is the reason of a 429: its message ends with "(window address_minute). Try again in 7 s." */
function outcomeOf(status: number, error: { readonly code?: string; readonly message?: string } | undefined): string {
  const isOfProvider = error?.code === 'payment_unknown' || /payment provider/.test(error?.message ?? '');
  if (status === 503 && isOfProvider) return providerFailed;
  if (error?.code === 'hold_limit_reached') return '409 hold_limit_reached';
  const [, window] = /\(window (\w+)\)/.exec(error?.message ?? '') ?? [];
  if (status === 429 && window !== undefined) return `429 ${window}`;
  const [sentence] = (error?.message ?? '').split('. ');
  return status === 503 ? `503 ${sentence}` : String(status);
}

/** The clock of functions has whole milliseconds. */
export const wholeMs = (time: SimulatedTime): Clock => ({ nowMs: () => Math.floor(time.nowMs()) });

const sampleEvent = apiEvent();
const throttled: Response = { status: 429, body: {}, retryAfterSeconds: 1, outcome: '429 throttle' };
const blocked: Response = { ...throttled, retryAfterSeconds: firewall.retryAfterSeconds, outcome: '429 firewall' };
const refusedByLambda: Response = { status: 503, body: {}, retryAfterSeconds: 1, outcome: '503 concurrency' };
const noContent: Response = { status: 204, body: {}, retryAfterSeconds: 0, outcome: '204' };
