/** The position of an organisation in its sequence of member numbers. */
export interface NumberSequence {
  readonly last: number;
  /** The minimum number of digits, padded with zeros, as in the numbers that the organisation imported. */
  readonly width: number;
}

const plainNumber = /^\d{1,15}$/;

/** Returns the position of an imported number in the sequence; undefined if it is not a plain number (`A-17`). */
export function parseSequenceNumber(memberNumber: string): NumberSequence | undefined {
  return plainNumber.test(memberNumber) ? { last: Number(memberNumber), width: memberNumber.length } : undefined;
}

export function memberNumberText({ last, width }: NumberSequence): string {
  return String(last).padStart(width, '0');
}
