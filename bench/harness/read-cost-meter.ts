import type { Table } from '../../shared/data/table/table.ts';
import { operations } from '../../shared/operations/registry.ts';
import { CallRecorder } from './call-recorder.ts';
import { type CallOperation, operationCaller } from './operation-caller.ts';

/** The cost of one response. */
export interface ReadCost {
  readonly name: string;
  readonly rows: number;
  readonly readUnits: number;
  readonly calls: number;
  readonly queries: number;
  readonly depth: number;
  readonly counterUnits: number;
  /** The time of the response in milliseconds, on this machine. */
  readonly ms: number;
  /** Whether the request timed out. Its units are those of the calls that it had made until then. */
  readonly timedOut: boolean;
}

/** The costs of the first, the middle and the last full page of a list, each requested by its number and nothing before it. */
export interface JumpCost {
  readonly name: string;
  readonly first: ReadCost;
  readonly middle: ReadCost;
  readonly last: ReadCost;
}

export interface WalkCost {
  readonly requests: number;
  readonly readUnits: number;
}

export interface MeterOptions {
  /** Two clients of the same table. Only the calls of the first are counted. */
  readonly table: Table;
  readonly uncounted: Table;
  readonly key: string;
  readonly eventId: number;
}

interface MeasuredCall {
  readonly body: string;
  readonly cost: ReadCost;
}

/** Calls operations one after the other, as a client does, and records the cost of each response. */
export class ReadCostMeter {
  readonly costs: ReadCost[] = [];
  readonly #options: MeterOptions;
  readonly #recorder: CallRecorder;
  readonly #opened = new Map<string, Promise<CallOperation>>();

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#recorder = new CallRecorder(options.table, options.uncounted);
  }

  /** Measures jumps to the first, the middle and the last full page of a list. */
  async measureJumps(
    name: string,
    id: string,
    { rows, limit, filters = {} }: { rows: number; limit: number; filters?: Record<string, string> },
  ): Promise<JumpCost> {
    const pages = Math.max(1, Math.floor(rows / limit));
    const jump = async (page: number): Promise<ReadCost> =>
      (await this.#call(id, rows, { ...filters, limit: String(limit), page_number: String(page) })).cost;
    // The first call opens connections.
    await jump(1);
    return { name, first: await jump(1), middle: await jump(Math.ceil(pages / 2)), last: await jump(pages) };
  }

  /** Measures the page after the first one, by cursor. */
  async measureCursor(name: string, id: string, { rows, limit }: { rows: number; limit: number }): Promise<void> {
    const { body } = await this.#call(id, rows, { limit: String(limit) });
    const { cost } = await this.#call(id, rows, { limit: String(limit), cursor: nextCursor(body) ?? '' });
    this.costs.push({ ...cost, name });
  }

  /** Reads a whole list by cursor. Returns the number of requests and their units. */
  async walk(id: string, limit: number): Promise<WalkCost> {
    let [requests, readUnits] = [0, 0];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = { limit: String(limit), ...(cursor !== '' && { cursor }) };
      const { body, cost }: MeasuredCall = await this.#call(id, 0, query);
      requests += 1;
      readUnits += cost.readUnits;
      cursor = nextCursor(body);
    }
    return { requests, readUnits };
  }

  async measureOnce(name: string, id: string, rows: number, query: Record<string, string>): Promise<void> {
    const { cost } = await this.#call(id, rows, query);
    this.costs.push({ ...cost, name });
  }

  async #call(id: string, rows: number, query: Record<string, string>): Promise<MeasuredCall> {
    const { table, key, eventId } = this.#options;
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const opened = this.#opened.get(id) ?? operationCaller(table, operation);
    this.#opened.set(id, opened);
    const call = await opened;
    const params: Record<string, string> =
      'event_id' in operation.input.params.entries ? { event_id: String(eventId) } : {};
    let body = '';
    let timedOut = false;
    const started = performance.now();
    const { readUnits, calls, queries, depth, counterUnits } = await this.#recorder.record(async () => {
      const response = await call({ params, query, headers: { Authorization: `Bearer ${key}` } });
      timedOut = response.status === 503;
      if (response.status !== 200 && !timedOut)
        throw new Error(`${id} returned ${response.status}: ${response.body.slice(0, 300)}`);
      body = response.body;
    });
    return {
      body,
      cost: {
        name: id,
        rows,
        readUnits,
        calls,
        queries,
        depth,
        counterUnits,
        ms: performance.now() - started,
        timedOut,
      },
    };
  }
}

function nextCursor(body: string): string | undefined {
  const parsed: { next_cursor?: string | null } = JSON.parse(body);
  return parsed.next_cursor ?? undefined;
}
