import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { refusal } from '../failure.ts';
import { type Counts, CountsSchema } from './counts.ts';
import type { Source } from './source.ts';

const Checkpoint = v.strictObject({
  kind: v.string(),
  org_id: v.string(),
  /** Of the file when it was read: a file that has changed since has other rows at the same lines. */
  size: v.number(),
  changed_ms: v.number(),
  /** The last row that is surely in the table, and all rows before it. */
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

/** How far an import has come, in a small file beside the input. */
export class CheckpointFile {
  readonly #file: string;
  readonly #identity: Omit<Checkpoint, 'line' | 'rejected_bytes' | 'counts'>;

  constructor(file: string, { kind, orgId, source }: { kind: string; orgId: string; source: Source }) {
    this.#file = `${file}.checkpoint.json`;
    this.#identity = { kind, org_id: orgId, size: source.size ?? 0, changed_ms: source.changedMs ?? 0 };
  }

  /** Undefined when there is none: then the import begins at the beginning. */
  async read(): Promise<Position | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Checkpoint), text);
    const identity: [string, unknown][] = Object.entries(this.#identity);
    const stored: Readonly<Record<string, unknown>> = parsed.success ? parsed.output : {};
    if (!parsed.success || identity.some(([name, value]) => stored[name] !== value)) {
      throw refusal(
        'checkpoint_stale',
        `${this.#file} is of another import, or the file has changed since. Import it without --resume: rows that are in already stay unchanged.`,
      );
    }
    const { line, rejected_bytes, counts } = parsed.output;
    return { line, rejectedBytes: rejected_bytes, counts };
  }

  /** Called only when every row up to the line is in the table. Never seen half-written. */
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
