import { coloursOf } from './colours.ts';

/** Gives the pages the colour of the organisation. */
export function applyColours(background: string | null): void {
  const { style } = document.documentElement;
  for (const [name, colour] of Object.entries(coloursOf(background))) style.setProperty(name, colour);
}
