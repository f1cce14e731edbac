import type { Table } from '../../shared/data/table/table.ts';
import { operations } from '../../shared/operations/registry.ts';
import { CallRecorder } from './call-recorder.ts';
import { type CallOperation, operationCaller } from './operation-caller.ts';

/** The cost of one response. */
export interface ReadCost {
  readonly name: string;
  readonly rows: number;
  readonly readUnits: number;
  readonly depth: number;
  readonly counterUnits: number;
}

export interface MeterOptions {
  /** Two clients of the same table. Only the calls of the first are counted. */
  readonly table: Table;
  readonly uncounted: Table;
  readonly key: string;
  readonly eventId: number;
}

/** The number of pages that one request can skip within a function's timeout. */
const maxSkippedPages = 25;

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

  /**
   * Measures the first, the middle and the last full page of a list. Each is requested after the page before it, as a client does
   * that reads all pages. The pages in between are skipped by number, uncounted.
   */
  async measurePages(name: string, id: string, { rows, limit }: { rows: number; limit: number }): Promise<void> {
    const pages = Math.floor(rows / limit);
    const measured = [
      ['first', 1],
      ['middle', Math.ceil(pages / 2)],
      ['last', pages],
    ] as const;
    let at = 0;
    for (const [where, page] of measured) {
      for (at += maxSkippedPages; at < page - 1; at += maxSkippedPages)
        await this.#callPage(id, rows, { limit, page: at });
      const before = page === 1 ? undefined : await this.#callPage(id, rows, { limit, page: page - 1 });
      const { cost } = await this.#callPage(id, rows, { limit, page, cursor: nextCursor(before?.body ?? '{}') });
      this.costs.push({ ...cost, name: `page of ${name}, ${where}` });
      at = page;
    }
  }

  /** By cursor where the page before it returned one. */
  #callPage(
    id: string,
    rows: number,
    { limit, page, cursor }: { limit: number; page: number; cursor?: string | undefined },
  ) {
    const byNumber = page === 1 ? {} : { page_number: String(page) };
    const position = cursor === undefined ? byNumber : { cursor };
    return this.#call(id, rows, { limit: String(limit), ...position });
  }

  async measureOnce(name: string, id: string, rows: number, query: Record<string, string>): Promise<void> {
    const { cost } = await this.#call(id, rows, query);
    this.costs.push({ ...cost, name });
  }

  async #call(id: string, rows: number, query: Record<string, string>) {
    const { table, key, eventId } = this.#options;
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const opened = this.#opened.get(id) ?? operationCaller(table, operation);
    this.#opened.set(id, opened);
    const call = await opened;
    const params: Record<string, string> =
      'event_id' in operation.input.params.entries ? { event_id: String(eventId) } : {};
    let body = '';
    const { readUnits, depth, counterUnits } = await this.#recorder.record(async () => {
      const response = await call({ params, query, headers: { Authorization: `Bearer ${key}` } });
      if (response.status !== 200) throw new Error(`${id} returned ${response.status}: ${response.body.slice(0, 300)}`);
      body = response.body;
    });
    return { body, cost: { name: id, rows, readUnits, depth, counterUnits } };
  }
}

function nextCursor(body: string): string | undefined {
  const parsed: { next_cursor?: string | null } = JSON.parse(body);
  return parsed.next_cursor ?? undefined;
}
