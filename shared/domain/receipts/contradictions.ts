import { linesLeft } from './compose.ts';
import type { DocumentRecord } from './document.ts';
import { isSameLine } from './sold-lines.ts';

/** What the documents of an order, the oldest first, say against each other. Nothing if they agree. */
export function contradictionsOf(documents: readonly DocumentRecord[]): readonly string[] {
  const [first, ...later] = documents;
  if (first === undefined) return [];
  const said = later.flatMap(({ lines }) => lines).filter(({ item }) => item.of === 'price' || item.of === 'type');
  const isUnknown = said.some((line) => !first.lines.some((sold) => isSameLine(line, sold)));
  const isBelowNothing = linesLeft(documents).some(({ grossMinor, taxMinor }) => grossMinor < 0 || taxMinor < 0);
  return [
    ...(isUnknown ? ['A later document names a ticket or membership, or a tax rate, that its receipt has not.'] : []),
    ...(isBelowNothing ? ['Its credit notes return more of a line than its receipts have.'] : []),
  ];
}
