import type { Table } from '../../shared/data/table/table.ts';
import { operations } from '../../shared/operations/registry.ts';
import { Recorder } from './call-recorder.ts';
import { type Ask, operationOn } from './operation-caller.ts';

/** What one answer cost. */
export interface Figure {
  readonly name: string;
  readonly rows: number;
  readonly readUnits: number;
  readonly depth: number;
  readonly counterUnits: number;
}

export interface Surveyed {
  /** Two clients of the same table: what goes through the first is counted. */
  readonly table: Table;
  readonly aside: Table;
  readonly key: string;
  readonly eventId: number;
}

/** In pages. So many rows can be passed over in the time that a function has. */
const farthestJump = 25;

/** Asks operations as a client does, one after the other, and writes down what each answer cost. */
export class Survey {
  readonly figures: Figure[] = [];
  readonly #around: Surveyed;
  readonly #recorder: Recorder;
  readonly #opened = new Map<string, Promise<Ask>>();

  constructor(around: Surveyed) {
    this.#around = around;
    this.#recorder = new Recorder(around.table, around.aside);
  }

  /**
   * The first, the middle and the last full page, each asked for after the one before it, as in a walk. What lies between is passed
   * over in jumps that no one counts.
   */
  async walk(name: string, id: string, { rows, limit }: { rows: number; limit: number }): Promise<void> {
    const pages = Math.floor(rows / limit);
    const shown = [
      ['first', 1],
      ['middle', Math.ceil(pages / 2)],
      ['last', pages],
    ] as const;
    let at = 0;
    for (const [where, page] of shown) {
      for (at += farthestJump; at < page - 1; at += farthestJump) await this.#askPage(id, rows, { limit, page: at });
      const before = page === 1 ? undefined : await this.#askPage(id, rows, { limit, page: page - 1 });
      const { figure } = await this.#askPage(id, rows, { limit, page, cursor: nextCursor(before?.body ?? '{}') });
      this.figures.push({ ...figure, name: `page of ${name}, ${where}` });
      at = page;
    }
  }

  /** By cursor where there is one. */
  #askPage(
    id: string,
    rows: number,
    { limit, page, cursor }: { limit: number; page: number; cursor?: string | undefined },
  ) {
    const byNumber = page === 1 ? {} : { page_number: String(page) };
    const position = cursor === undefined ? byNumber : { cursor };
    return this.#ask(id, rows, { limit: String(limit), ...position });
  }

  async once(name: string, id: string, rows: number, query: Record<string, string>): Promise<void> {
    const { figure } = await this.#ask(id, rows, query);
    this.figures.push({ ...figure, name });
  }

  async #ask(id: string, rows: number, query: Record<string, string>) {
    const { table, key, eventId } = this.#around;
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const opened = this.#opened.get(id) ?? operationOn(table, operation);
    this.#opened.set(id, opened);
    const ask = await opened;
    const params: Record<string, string> =
      'event_id' in operation.input.params.entries ? { event_id: String(eventId) } : {};
    let body = '';
    const { readUnits, depth, counterUnits } = await this.#recorder.during(async () => {
      const answer = await ask({ params, query, headers: { Authorization: `Bearer ${key}` } });
      if (answer.status !== 200) throw new Error(`${id} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      body = answer.body;
    });
    return { body, figure: { name: id, rows, readUnits, depth, counterUnits } };
  }
}

function nextCursor(body: string): string | undefined {
  const parsed: { next_cursor?: string | null } = JSON.parse(body);
  return parsed.next_cursor ?? undefined;
}
