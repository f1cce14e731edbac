import type { Gateline } from '../gateline.ts';
import type { Facts } from '../render.ts';
import { fanText } from './fan-text.ts';
import type { Words } from './words.ts';

/** A mail to one person. */
export interface Planned {
  /** The name of its template. */
  readonly kind: string;
  readonly to: string;
  readonly facts: Facts;
}

/** What Gateline announced. It says what happened; how things are now, and every link, is read from the API. */
export interface Announced<Data> {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
}

export interface Office {
  readonly gateline: Gateline;
  /** Where fans buy, without a slash at the end: the pages that a mail leads to are pages of the shop. */
  readonly shopUrl: string;
  readonly words: Words;
}

/** Some mails, and where to go on. Only an event for thousands of people has more than one page. */
export interface PlannedPage {
  readonly mails: readonly Planned[];
  readonly next: string | null;
}

export type Plan<Data> = (event: Announced<Data>, office: Office) => Promise<readonly Planned[]>;

/** Nobody is written to without an address: of somebody who was erased, or who bought at the counter without one. */
export function mailTo(to: string | null | undefined, kind: string, facts: Facts): readonly Planned[] {
  const name = typeof facts.name === 'string' ? fanText(facts.name) : '';
  return to ? [{ kind, to, facts: { ...facts, name } }] : [];
}
