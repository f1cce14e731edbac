import type { Announced } from './mails/planned.ts';

/** An event, until all its mails are sent. Then its body, which can have addresses, is removed. */
export interface EventState {
  readonly type: string;
  readonly body: string | null;
  /** Where its next page begins. */
  readonly cursor: string | null;
  /** How many mails were looked at, and how many failed for good, since its first page. */
  readonly looked: number;
  readonly failed: number;
  /** When to begin again with the first page, because a mail has to wait. */
  readonly againMs: number | null;
  /** How often in a row the API did not say what a mail needs. */
  readonly failures: number;
  readonly reason: string | null;
  /** When a person last asked to send what failed. */
  readonly resentMs: number;
}

/** Of an event that has just come. */
export const begun = (event: Announced<unknown>): EventState => ({
  type: event.type,
  body: JSON.stringify(event),
  cursor: null,
  looked: 0,
  failed: 0,
  againMs: null,
  failures: 0,
  reason: null,
  resentMs: 0,
});
