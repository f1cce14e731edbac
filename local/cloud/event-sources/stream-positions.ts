import * as v from 'valibot';
import type { KeptFiles } from '../kept-files.ts';

const Positions = v.record(v.string(), v.record(v.string(), v.string()));
const keptFile = 'stream-positions.json';
const savePauseMs = 1_000;

/**
 * The position of each mapping in each shard. It is stored with the data: a stream survives a restart, and without its
 * position a mapping would send all records of the last day to its function again.
 */
export class StreamPositions {
  readonly #files: KeptFiles;
  readonly #positions: Record<string, Record<string, string>>;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(files: KeptFiles) {
    this.#files = files;
    this.#positions = files.read(keptFile, Positions, { canBeDeleted: true }) ?? {};
  }

  of(mapping: string, shardId: string): string | undefined {
    return this.#positions[mapping]?.[shardId];
  }

  /** Whether a mapping has read before, in this run or an earlier one. */
  has(mapping: string): boolean {
    return this.#positions[mapping] !== undefined;
  }

  set(mapping: string, shardId: string, sequenceNumber: string): void {
    this.#positions[mapping] = { ...this.#positions[mapping], [shardId]: sequenceNumber };
    this.#timer ??= setTimeout(() => this.save(), savePauseMs);
  }

  /** A full disk must not end the run. The next save writes all positions again. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#files.write(keptFile, this.#positions);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) process.emitWarning(`The positions in the streams were not saved: ${String(error)}`);
      this.#failing = true;
    }
  }
}
