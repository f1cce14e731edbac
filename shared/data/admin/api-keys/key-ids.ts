import { Fault } from '../../../platform/fault.ts';

/** An API key contains at most four characters of key id: 1,679,615 keys per organisation. */
const maxKeyNumber = 36 ** 4 - 1;

export interface NextKeyId {
  readonly keyId: string;
  /** The number of the last issued id, which has to be stored. */
  readonly issued: number;
}

/** Returns the next id: 1, 2, … z, 10 … An id is never issued twice, so an id in the log always means the same key. */
export function nextKeyId(issued: number): NextKeyId {
  const next = issued + 1;
  if (next > maxKeyNumber) throw new Fault('The organisation has no free key ids left.');
  return { keyId: next.toString(36), issued: next };
}

/** Compares key ids by the order in which they were issued, which is not the order of their texts: z comes before 10. */
export function compareKeyIds(one: string, other: string): number {
  return Number.parseInt(one, 36) - Number.parseInt(other, 36);
}
