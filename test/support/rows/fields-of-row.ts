/** Everything in a row that is no list, no map and not null, with where it is, such as `offers[].mail`; without the keys of the row. */
export function fieldsOfRow(row: Readonly<Record<string, unknown>>): readonly { path: string; value: unknown }[] {
  return fieldsIn(row, '').filter(({ path }) => !/^([ps]k|by\d[ps]k)$/.test(path));
}

function fieldsIn(value: unknown, path: string): { path: string; value: unknown }[] {
  if (value === null) return [];
  if (Array.isArray(value) || value instanceof Set)
    return Array.from(value).flatMap((one) => fieldsIn(one, `${path}[]`));
  if (value instanceof Uint8Array || typeof value !== 'object') return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => fieldsIn(inner, path === '' ? name : `${path}.${name}`));
}
