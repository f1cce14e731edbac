/**
 * Ids are integers that every JSON parser represents exactly: the second of creation, then 21 bits that distinguish objects
 * created in the same second. They sort by time and need no shared counter, on which writers would conflict. The conditional
 * put of the row checks that an id is free.
 */
const lowBits = 21;
export const idsPerSecond = 2 ** lowBits;

/** How many digits an id has in a sort key. With leading zeros the text sorts like the number. */
const digits = 16;

export function idOf(createdUnix: number, low: number): number {
  return createdUnix * idsPerSecond + (low % idsPerSecond);
}

export function createdUnixOf(id: number): number {
  return Math.floor(id / idsPerSecond);
}

export function idText(id: number): string {
  return String(id).padStart(digits, '0');
}

/** Returns the bounds of a sort key range for ids created after one second and before another, both exclusive. */
export function idRange(afterUnix: number | undefined, beforeUnix: number | undefined): { from: string; to: string } {
  const from = afterUnix === undefined ? 0 : (afterUnix + 1) * idsPerSecond;
  const to = beforeUnix === undefined ? Number.MAX_SAFE_INTEGER : beforeUnix * idsPerSecond - 1;
  return {
    from: idText(Math.min(from, Number.MAX_SAFE_INTEGER)),
    to: idText(Math.max(0, Math.min(to, Number.MAX_SAFE_INTEGER))),
  };
}

const pattern = /^[1-9]\d{0,15}$/;

/** Returns the id in a path parameter; undefined if the text cannot be an id. */
export function parseId(text: string): number | undefined {
  const id = pattern.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
