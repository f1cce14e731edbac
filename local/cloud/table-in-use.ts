import * as v from 'valibot';
import type { KeptFiles } from './kept-files.ts';

const file = 'table-in-use.json';
const KeptContent = v.object({
  /** Missing only in a folder that no run of this version has used. */
  tableName: v.optional(v.string()),
  streamArn: v.optional(v.string()),
  restoring: v.optional(v.object({ tableName: v.string(), exportHash: v.string() })),
});

/** A restored table, which the service uses instead of that of the state stack. */
export interface RestoredTable {
  readonly tableName: string;
  readonly streamArn: string;
}

/** The table that the run of a data folder uses, in one file, so a switch is one write. */
export class KeptTable {
  readonly #files: KeptFiles;
  readonly #kept: v.InferOutput<typeof KeptContent>;

  constructor(files: KeptFiles) {
    this.#files = files;
    this.#kept = files.read(file, KeptContent) ?? {};
  }

  get tableName(): string | undefined {
    return this.#kept.tableName;
  }

  /** Undefined if the run uses the table of its template. */
  get restored(): RestoredTable | undefined {
    const { tableName, streamArn } = this.#kept;
    return tableName === undefined || streamArn === undefined ? undefined : { tableName, streamArn };
  }

  /** Remembers the table of the template, so a start notices its loss and an export finds it. */
  use(tableName: string): void {
    if (this.#kept.tableName !== tableName) this.#files.write(file, { tableName });
  }

  /** Whether a run that did not switch has begun to restore this export into the table. */
  isRestoring(tableName: string, exportHash: string): boolean {
    const { restoring } = this.#kept;
    return restoring?.tableName === tableName && restoring.exportHash === exportHash;
  }

  beginRestore(tableName: string, exportHash: string): void {
    this.#files.write(file, { ...this.#kept, restoring: { tableName, exportHash } });
  }

  /** From the next start on, the run uses this table. */
  switchTo({ tableName, streamArn }: RestoredTable): void {
    this.#files.write(file, { tableName, streamArn });
  }
}
