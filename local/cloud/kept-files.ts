import type * as v from 'valibot';

interface ReadOptions {
  /** Set if the data stays correct without the file. Otherwise the only way out is new data. */
  canBeDeleted?: boolean;
}

/** Small JSON files, kept with the data: in the data folder, or in memory for one run. */
export interface KeptFiles {
  /** Returns `undefined` if the file does not exist. */
  read<Schema extends v.GenericSchema>(
    name: string,
    schema: Schema,
    options?: ReadOptions,
  ): v.InferOutput<Schema> | undefined;
  write(name: string, value: unknown): void;
  /** Releases the folder for the next run. */
  close(): void;
}
