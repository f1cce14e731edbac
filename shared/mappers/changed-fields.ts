type Value = string | number | boolean | null | Readonly<Record<string, string>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  const others = new Map<string, unknown>(Object.entries(b));
  const entries = Object.entries(a);
  return (
    entries.length === others.size && entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  );
}

/** The names of the fields that differ, and their values before. */
export function changedFields(before: object, after: object, names: readonly string[]) {
  const [was, is] = [new Map<string, Value>(Object.entries(before)), new Map<string, Value>(Object.entries(after))];
  const changed = names.filter((name) => !isSame(was.get(name), is.get(name)));
  return { changed, previous: Object.fromEntries(changed.map((name) => [name, was.get(name) ?? null])) };
}
