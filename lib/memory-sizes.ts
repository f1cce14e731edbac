/**
 * The memory of a function that answers requests. Lambda gives it a whole core at 1,769 MB: the smallest size is the cheapest by
 * some cents for a million requests, and up to three times as slow (ADR 30).
 */
export const answeringMemoryMb = 1_769;

/**
 * An operation that waits for the payment provider: 0.6 s of waiting for 25 ms of CPU time. It answers 20 ms later than with a whole core,
 * and a million payments cost $8 less (calculated).
 */
export const payingMemoryMb = 1_024;

/** No client waits for a worker. Its batches need room, and CPU time costs the same at every size. */
export const workerMemoryMb = 512;
