/** Which of several codes with random names a list begins with is random, too. */
const random = new Set(['barcode', 'member_number', 'uses']);

/**
 * An example without what is made up anew in each recording: ids, times, tokens and codes. What stays is its fields, amounts, words and
 * counts.
 */
export function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner, key)]));
  if (random.has(name)) return typeof value;
  if (typeof value === 'number') return value < 1e9 ? value : 'id or time';
  if (typeof value !== 'string') return value;
  const timeless = value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '…').replace(/^api-.+/, '…');
  return timeless.replaceAll(/[\w+/-]{10,}/g, (word) => (/\d/.test(word) ? '…' : word));
}
