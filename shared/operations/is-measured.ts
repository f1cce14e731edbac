import type { Operation } from './operation.ts';

/** Whether it sells or admits, so that its outcomes and its latency are metrics of their own. */
export function isMeasured({ runtime }: Pick<Operation, 'runtime'>): boolean {
  return runtime.raisedForSale || runtime.releasedGradually || runtime.objective !== undefined;
}
