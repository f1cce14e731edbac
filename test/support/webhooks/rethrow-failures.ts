import type { SweepAttempt } from '../../../shared/platform/sweep-run.ts';

/** For tests of the failure itself: nothing is caught. */
export const rethrowFailures: SweepAttempt = (_item, work) => work();
