import * as v from 'valibot';
import type { SaveOutcome } from './dataset.ts';

export const CountsSchema = v.strictObject({
  read: v.number(),
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  rejected: v.number(),
});
export type Counts = Readonly<v.InferOutput<typeof CountsSchema>>;

export const noCounts: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };

export function countOutcomes(counts: Counts, outcomes: readonly (SaveOutcome | 'rejected')[]): Counts {
  const next = { ...counts, read: counts.read + outcomes.length };
  for (const outcome of outcomes) next[outcome] += 1;
  return next;
}
