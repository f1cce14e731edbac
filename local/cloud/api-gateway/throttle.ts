import type { FunctionDefinition } from '../lambda/function-definition.ts';

/** The throttle of a stage or of one method: a token bucket, as API Gateway uses it. */
export interface StageThrottle {
  requestsPerSecond: number;
  burst: number;
}

export interface Throttle {
  /** Whether the request is admitted. A request that is not is answered with 429 at once. A mock integration has no function. */
  admits(definition: FunctionDefinition | undefined): boolean;
}

export interface ThrottleOptions {
  stage: StageThrottle | undefined;
  /**
   * One machine has less capacity than AWS. When a request of the same function has waited longer than this for an instance,
   * further requests are refused, so the wait does not grow. Without it, requests wait as long as they must.
   */
  longestWaitMs: number | undefined;
  waitingMs(definition: FunctionDefinition): number;
  now?(): number;
}

/** Returns a function that takes a token of the bucket, if there is one. */
export function tokenBucket({ requestsPerSecond, burst }: StageThrottle, now = () => performance.now()): () => boolean {
  let tokens = burst;
  let filledAtMs = now();
  return () => {
    const nowMs = now();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * requestsPerSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export function createThrottle(options: ThrottleOptions): Throttle {
  const { stage, longestWaitMs = Number.POSITIVE_INFINITY, waitingMs, now } = options;
  const takeToken = stage === undefined ? () => true : tokenBucket(stage, now);
  return {
    admits: (definition) => takeToken() && (definition === undefined || waitingMs(definition) <= longestWaitMs),
  };
}
