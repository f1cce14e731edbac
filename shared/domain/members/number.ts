/** How far an organisation has come in numbering its members. */
export interface NumberSequence {
  readonly last: number;
  /** How many digits a number has at least, with zeros before it: as the numbers that the organisation brought along. */
  readonly width: number;
}

const plainNumber = /^\d{1,15}$/;

/** The place in the sequence of a number that was given elsewhere; undefined for one that is no plain number (`A-17`). */
export function positionInSequence(memberNumber: string): NumberSequence | undefined {
  return plainNumber.test(memberNumber) ? { last: Number(memberNumber), width: memberNumber.length } : undefined;
}

export function memberNumberText({ last, width }: NumberSequence): string {
  return String(last).padStart(width, '0');
}
