import type { SaveOutcome } from './dataset.ts';

export type Counts = Readonly<Record<'read' | 'rejected' | SaveOutcome, number>>;

export const noCounts: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };

export function countOutcomes(counts: Counts, outcomes: readonly (SaveOutcome | 'rejected')[]): Counts {
  const next = { ...counts, read: counts.read + outcomes.length };
  for (const outcome of outcomes) next[outcome] += 1;
  return next;
}
