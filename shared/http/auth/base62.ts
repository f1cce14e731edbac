const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const values = new Map([...digits].map((digit, index) => [digit, BigInt(index)]));

/** Bytes as letters and digits, which a double click selects as one word, in a fixed width. */
export function base62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(width, '0');
}

/** The bytes of a base62 text; undefined if it has another character or a value that does not fit. */
export function base62Bytes(text: string, length: number): Uint8Array | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = values.get(character);
    if (digit === undefined) return undefined;
    value = value * 62n + digit;
  }
  const hex = value.toString(16).padStart(2 * length, '0');
  return hex.length > 2 * length ? undefined : Buffer.from(hex, 'hex');
}
