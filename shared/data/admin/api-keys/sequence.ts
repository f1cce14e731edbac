import { Fault } from '../../../platform/fault.ts';

/** An API key has room for four characters of key id: 1,679,615 keys in the life of an organisation. */
const lastNumber = 36 ** 4 - 1;

export interface NextKeyId {
  readonly keyId: string;
  /** What to remember as the number of the last id given out. */
  readonly issued: number;
}

/** The id after the `issued`-th: 1, 2, … z, 10 … An id is never given out twice, so that a log line names one key for ever. */
export function nextKeyId(issued: number): NextKeyId {
  const next = issued + 1;
  if (next > lastNumber) throw new Fault('The organisation has no free key ids left.');
  return { keyId: next.toString(36), issued: next };
}

/** Key ids in the order in which they were given out, which is not that of their text: z comes before 10. */
export function compareKeyIds(one: string, other: string): number {
  return Number.parseInt(one, 36) - Number.parseInt(other, 36);
}
