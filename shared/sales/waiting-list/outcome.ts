import type { WaitingEntry } from '../../domain/waiting-list/entry.ts';
import type { WaitingRefusal } from '../../domain/waiting-list/join-refusal.ts';

export interface WaitingRefused {
  readonly outcome: 'refused';
  readonly refusal: WaitingRefusal;
}

/** What became of a request to join, confirm or leave: the entry as it is now. */
export type EntryOutcome = { readonly outcome: 'done'; readonly entry: WaitingEntry } | WaitingRefused;

export const done = (entry: WaitingEntry): EntryOutcome => ({ outcome: 'done', entry });
export const refusedBy = (refusal: WaitingRefusal): WaitingRefused => ({ outcome: 'refused', refusal });
