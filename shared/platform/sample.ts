import type { Clock } from './clock.ts';

/** Says of each piece whether it is the first in its interval: how many were left out since the last one then, and undefined otherwise. */
export function startSample(intervalMs: number, clock: Clock): () => { readonly leftOut: number } | undefined {
  let nextMs = 0;
  let leftOut = 0;
  return () => {
    const nowMs = clock.nowMs();
    if (nowMs < nextMs) {
      leftOut += 1;
      return undefined;
    }
    const sampled = { leftOut };
    nextMs = nowMs + intervalMs;
    leftOut = 0;
    return sampled;
  };
}
