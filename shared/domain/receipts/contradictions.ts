import { linesLeft } from './compose.ts';
import type { DocumentRecord } from './document.ts';
import { isSameLine } from './sold-lines.ts';

/**
 * What the documents of an order, the oldest first, say against each other. Nothing if they agree. One that was issued `late`, because its entry had
 * been passed over, refers to the receipt of then, and so do those that were issued without it.
 */
export function contradictionsOf(
  documents: readonly DocumentRecord[],
  late: Readonly<Record<string, string>> = {},
): readonly string[] {
  const [first, ...later] = documents;
  if (first === undefined) return [];
  const said = later.flatMap(({ lines }) => lines).filter(({ item }) => item.of === 'price' || item.of === 'type');
  const isUnknown = said.some((line) => !first.lines.some((sold) => isSameLine(line, sold)));
  const isBelowNothing = linesLeft(documents).some(({ grossMinor, taxMinor }) => grossMinor < 0 || taxMinor < 0);
  const isInOrder = documents.every(({ documentId }) => !(documentId in late));
  return [
    ...(isInOrder && documents.some((_, index) => refersElsewhere(documents, index))
      ? ['A document of it refers to another one than the receipt that was in force.']
      : []),
    ...(isUnknown ? ['A later document names a ticket or membership, or a tax rate, that its receipt has not.'] : []),
    ...(isBelowNothing ? ['Its credit notes return more of a line than its receipts have.'] : []),
  ];
}

/** What corrects an order names the receipt before it that stands by itself, the newest one. Nobody but a receipt stands by itself. */
function refersElsewhere(documents: readonly DocumentRecord[], index: number): boolean {
  const document = documents[index];
  if (document === undefined || document.refersTo === null) return document?.kind === 'credit_note';
  const inForce = documents.slice(0, index).findLast(({ refersTo }) => refersTo === null);
  return document.refersTo.number !== inForce?.number || document.refersTo.issuedUnix !== inForce.issuedUnix;
}
