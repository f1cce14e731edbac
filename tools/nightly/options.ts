import { parseArgs } from 'node:util';
import type { Shard } from './shards.ts';

export interface NightlyOptions {
  readonly shard: Shard;
  /** The names of the suites to run; all if there are none. */
  readonly only: readonly string[];
  /** Reports whose passed units are not run again on the same commit. */
  readonly since: readonly string[];
  readonly seed: number | undefined;
  /** The folder of the report and the logs. */
  readonly folder: string;
}

export const usage =
  'npm run nightly -- [--shard 2/4] [--only <suite> …] [--since <report.json> …] [--seed 1 to 999999] [--report <folder>]';

/** Undefined if the arguments make no sense. */
export function readOptions(args: string[]): NightlyOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        shard: { type: 'string', default: '1/1' },
        only: { type: 'string', multiple: true, default: [] },
        since: { type: 'string', multiple: true, default: [] },
        seed: { type: 'string' },
        report: { type: 'string', default: '.local/nightly' },
      },
    });
    const [, index = 0, count = 0] = (/^(\d{1,2})\/(\d{1,2})$/.exec(values.shard) ?? []).map(Number);
    if (index < 1 || index > count) return undefined;
    if (values.seed !== undefined && !/^[1-9]\d{0,5}$/.test(values.seed)) return undefined;
    const seed = values.seed === undefined ? undefined : Number(values.seed);
    return { shard: { index, count }, only: values.only, since: values.since, seed, folder: values.report };
  } catch {
    return undefined;
  }
}
