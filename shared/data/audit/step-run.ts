import type { Confirmation } from './confirm.ts';

/** What every step of an audit gets: the time is that of the run, which the operator of a local run may have moved. */
export interface StepRun {
  readonly nowUnix: number;
  readonly confirmation: Confirmation;
}
