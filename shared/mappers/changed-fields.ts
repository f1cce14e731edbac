type Value = string | number | boolean | null;

/** The names of the fields that differ, and their values before. */
export function changedFields(before: object, after: object, names: readonly string[]) {
  const [was, is] = [new Map<string, Value>(Object.entries(before)), new Map<string, Value>(Object.entries(after))];
  const changed = names.filter((name) => was.get(name) !== is.get(name));
  return { changed, previous: Object.fromEntries(changed.map((name) => [name, was.get(name) ?? null])) };
}
