import * as v from 'valibot';
import type { KeptFiles } from '../kept-files.ts';
import { CloudClock } from './cloud-clock.ts';

const file = 'clock.json';
const KeptOffset = v.object({ ahead_ms: v.pipe(v.number(), v.integer()) });

/** A clock whose offset is kept with the data: after a restart, time must not be before what the rows say. */
class KeptClock extends CloudClock {
  readonly #files: KeptFiles;

  constructor(files: KeptFiles, offsetMs: number) {
    super(offsetMs);
    this.#files = files;
  }

  override advance(seconds: number): void {
    super.advance(seconds);
    this.#files.write(file, { ahead_ms: this.aheadMs });
  }
}

export function openClock(files: KeptFiles, startsAtMs: number | undefined): CloudClock {
  const kept = files.read(file, KeptOffset)?.ahead_ms;
  return new KeptClock(files, kept ?? (startsAtMs === undefined ? 0 : startsAtMs - Date.now()));
}
