import type { EventStatus } from './event.ts';

/** What an event must fulfil before its status changes. `unsold`: no ticket was sold or is held. */
export type StatusCondition = 'none' | 'unsold';

/** 0 draft, 1 published, 2 deleted, 3 closed. What is not listed is impossible: nothing returns from deletion. */
const changes: Readonly<Record<EventStatus, Partial<Readonly<Record<EventStatus, StatusCondition>>>>> = {
  0: { 1: 'none', 2: 'unsold' },
  1: { 0: 'unsold', 2: 'unsold', 3: 'none' },
  2: {},
  3: { 1: 'none', 2: 'unsold' },
};

/** The condition of a change of status; undefined if the change is impossible. */
export function statusCondition(from: EventStatus, to: EventStatus): StatusCondition | undefined {
  return from === to ? 'none' : changes[from][to];
}
