import type { Organisation } from '../../../site/browser/resources.ts';
import { writeAs } from '../../../site/browser/state/locale.ts';
import { applyColours } from '../../../site/browser/state/theme.ts';

let current: Organisation | undefined;

/** Gives the pages the colour of the organisation, and its way to write dates and amounts. */
export function openFor(organisation: Organisation): void {
  current = organisation;
  applyColours(organisation.background_color);
  writeAs(organisation.locale);
}

/** Whose shop this is. */
export function organisation(): Organisation {
  if (current === undefined) throw new Error('The organisation is not loaded.');
  return current;
}
