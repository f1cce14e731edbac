/** Compares as DynamoDB compares keys: by UTF-8 bytes. JavaScript's order differs for characters of two UTF-16 code units. */
export function compareSortKeys(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let index = 0; index < shorter; index += 1) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;

/** In UTF-8 the characters that need two code units follow all others. */
function rankOf(unit: number): number {
  return unit >= firstSurrogate && unit < firstAfterSurrogates ? unit + 0x10_000 : unit;
}
