import type { Attempt } from '../../../shared/platform/round.ts';

/** For tests that look at the failure itself: nothing is caught. */
export const unspared: Attempt = (_ref, work) => work();
