import type { SweepAttempt } from '../../../shared/platform/sweep-run.ts';

/** For tests that look at the failure itself: nothing is caught. */
export const unspared: SweepAttempt = (_ref, work) => work();
