import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { personHash } from '../../shared/data/table/hash-key.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { refusal } from '../failure.ts';
import { type Counts, CountsSchema } from './counts.ts';
import type { Source } from './source.ts';

const Checkpoint = v.strictObject({
  dataset: v.string(),
  org_id: v.string(),
  /** The table that has the rows. Another stage has none of them. */
  table: v.string(),
  /** Size and time of the file when it was read. A file that changed since then has other rows on the same lines. */
  size: v.number(),
  changed_ms: v.number(),
  /** The line of the last row that is in the table, like all rows before it. */
  line: v.number(),
  rejected_bytes: v.number(),
  counts: CountsSchema,
});
type Checkpoint = v.InferOutput<typeof Checkpoint>;

export interface Position {
  readonly line: number;
  readonly rejectedBytes: number;
  readonly counts: Counts;
}

interface ImportIdentity {
  readonly dataset: string;
  readonly orgId: string;
  readonly table: string;
  readonly source: Source;
}

/** What tells a table from those of other stages and accounts: its name, and a hash with the key that only this table has. */
export async function identityOf(table: Table): Promise<string> {
  const { names } = await personHash(table);
  return `${table.name} ${names('', 'checkpoint')}`;
}

/** The position of an import, in a small file next to the imported one. */
export class CheckpointFile {
  readonly #file: string;
  readonly #identity: Omit<Checkpoint, 'line' | 'rejected_bytes' | 'counts'>;

  constructor(file: string, { dataset, orgId, table, source }: ImportIdentity) {
    this.#file = `${file}.checkpoint.json`;
    this.#identity = { dataset, org_id: orgId, table, size: source.size ?? 0, changed_ms: source.changedMs ?? 0 };
  }

  /** Undefined if there is no checkpoint: the import starts at the beginning. */
  async read(): Promise<Position | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Checkpoint), text);
    const identity: [string, unknown][] = Object.entries(this.#identity);
    const stored: Readonly<Record<string, unknown>> = parsed.success ? parsed.output : {};
    if (!parsed.success || identity.some(([name, value]) => stored[name] !== value)) {
      throw refusal(
        'checkpoint_stale',
        `${this.#file} belongs to another import or another table, or the file has changed since. Import it without --resume: rows that were imported already stay unchanged.`,
      );
    }
    const { line, rejected_bytes, counts } = parsed.output;
    return { line, rejectedBytes: rejected_bytes, counts };
  }

  /** Replaces the checkpoint in one step. Every row up to the line must be in the table. */
  write({ line, rejectedBytes, counts }: Position): void {
    const checkpoint: Checkpoint = { ...this.#identity, line, rejected_bytes: rejectedBytes, counts };
    const draft = `${this.#file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(checkpoint), { mode: 0o600 });
    renameSync(draft, this.#file);
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
