import type { EventRecord } from '../events/event.ts';

/** On what terms buyers may cancel their own tickets. Each ticket keeps those that its price had when it was put into the basket. */
export interface SelfCancel {
  /** The last hour, counted back from the start of the event. */
  readonly untilHours: number;
  /** What stays with the organisation of what the ticket cost. */
  readonly keepPercent: number;
}

/** The first second in which the buyer cannot cancel any more. It moves with the event. */
export function selfCancelUntilUnix({ untilHours }: SelfCancel, { startUnix }: Pick<EventRecord, 'startUnix'>): number {
  return Math.max(0, startUnix - untilHours * 3_600);
}
