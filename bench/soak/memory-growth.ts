import { median } from '../report/figures.ts';

/** The memory of one process over time, in bytes, in equal intervals. */
export interface Growth {
  /** Half of what the first third grew, but not less than noise. */
  readonly boundBytes: number;
  /** How much the last third grew. */
  readonly lastBytes: number;
  readonly isBounded: boolean;
}

/** As a share of the level of the first third: less than this is noise of the system. */
const noiseShare = 0.05;

/**
 * Compares the growth of the last third with that of the first, in which code is compiled and caches are filled. A leak grows
 * as fast at the end as at the beginning; everything else grows less and less.
 */
export function memoryGrowth(samples: readonly number[]): Growth {
  const third = Math.floor(samples.length / 3);
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const level = median(first);
  const boundBytes = Math.max(grownBytes(first) / 2, level * noiseShare);
  const lastBytes = grownBytes(last);
  return { boundBytes, lastBytes, isBounded: lastBytes <= boundBytes };
}

/** The median of the second half minus that of the first half, twice: the growth over the whole time without outliers. */
function grownBytes(samples: readonly number[]): number {
  const middle = Math.ceil(samples.length / 2);
  return 2 * (median(samples.slice(middle)) - median(samples.slice(0, middle)));
}
