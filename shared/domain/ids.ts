/**
 * Ids are integers that every JSON reader can hold exactly: the second of creation, then 21 bits to tell apart what was
 * created in it. They sort by time and need no counter that all writers would meet at; the conditional put of the row
 * itself says whether an id was free.
 */
const lowBits = 21;
export const idsPerSecond = 2 ** lowBits;

/** How many digits an id has in a sort key, so that text sorts as numbers do. */
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

/** The ids of everything created after one second and before another, both excluded, as text bounds of a sort key. */
export function idRange(afterUnix: number | undefined, beforeUnix: number | undefined): { from: string; to: string } {
  const from = afterUnix === undefined ? 0 : (afterUnix + 1) * idsPerSecond;
  const to = beforeUnix === undefined ? Number.MAX_SAFE_INTEGER : beforeUnix * idsPerSecond - 1;
  return {
    from: idText(Math.min(from, Number.MAX_SAFE_INTEGER)),
    to: idText(Math.max(0, Math.min(to, Number.MAX_SAFE_INTEGER))),
  };
}

const pattern = /^[1-9]\d{0,15}$/;

/** The id that a path parameter names; undefined for whatever cannot be one, which names nothing. */
export function parseId(text: string): number | undefined {
  const id = pattern.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
