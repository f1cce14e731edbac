/** The texts in a row with where each of them is, such as `offers[].mail`, without its keys. */
export function textsOfRow(row: Readonly<Record<string, unknown>>): readonly { path: string; text: string }[] {
  return textsIn(row, '').filter(({ path }) => !/^([ps]k|by\d[ps]k)$/.test(path));
}

function textsIn(value: unknown, path: string): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, `${path}[]`));
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, path === '' ? name : `${path}.${name}`));
}
