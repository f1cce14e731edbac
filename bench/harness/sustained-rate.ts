import { type LoadResult, percentile, sendAtRate } from './load-generator.ts';
import type { MixedRequest } from './mixed-traffic.ts';

/** Requests per second. Above the last one, the keys' own limits would be measured. */
const rates = [2, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 120, 140];
const stepSeconds = 8;
/** A queue that grows is longer than this at the end of a step. */
const longestMs = 2_000;
/** One more try for a step: the schedules of a minute, and functions that start another instance, are work of some seconds. */
const tries = 2;

export interface Step extends LoadResult {
  readonly perSecond: number;
}

/** Raises the rate until requests are refused, fail or wait in each try. Returns the steps; the last one that held is the sustained rate. */
export async function findSustainedRate(
  next: () => MixedRequest,
  progress: (text: string) => void,
): Promise<{ sustained: number; steps: Step[] }> {
  const steps: Step[] = [];
  let sustained = 0;
  const holds = async (perSecond: number): Promise<boolean> => {
    const result = await sendAtRate(next, { perSecond, seconds: stepSeconds });
    steps.push({ perSecond, ...result });
    const p95 = percentile(result.durationsMs, 0.95);
    progress(`${perSecond} requests a second: ${JSON.stringify(result.statuses)}, 95 % within ${p95.toFixed(0)} ms`);
    return result.throttled + result.failed === 0 && p95 <= longestMs;
  };
  for (const perSecond of rates) {
    let held = false;
    for (let attempt = 0; attempt < tries && !held; attempt += 1) held = await holds(perSecond);
    if (!held) break;
    sustained = perSecond;
  }
  return { sustained, steps };
}
