import * as v from 'valibot';
import type { KeptFiles } from '../cloud/data-folder.ts';

const Positions = v.record(v.string(), v.record(v.string(), v.string()));
const keptFile = 'stream-positions.json';
const savePauseMs = 250;

/**
 * How far each mapping has read each shard. Kept with the data: a stream also survives a restart, and a mapping that began
 * anew would hand every record of the last day to its function once more.
 */
export class StreamPositions {
  private readonly files: KeptFiles;
  private readonly positions: Record<string, Record<string, string>>;
  private timer: NodeJS.Timeout | undefined;

  constructor(files: KeptFiles) {
    this.files = files;
    this.positions = v.parse(Positions, files.read(keptFile) ?? {});
  }

  of(mapping: string, shardId: string): string | undefined {
    return this.positions[mapping]?.[shardId];
  }

  /** True for a mapping that has read before, in this run or in an earlier one. */
  has(mapping: string): boolean {
    return this.positions[mapping] !== undefined;
  }

  set(mapping: string, shardId: string, sequenceNumber: string): void {
    this.positions[mapping] = { ...this.positions[mapping], [shardId]: sequenceNumber };
    this.timer ??= setTimeout(() => this.save(), savePauseMs);
  }

  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.files.write(keptFile, this.positions);
  }
}
