/** Calls `load` once per id, however often the id is requested. */
export function memoize<Result>(load: (id: string) => Promise<Result>): (id: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (id) => {
    const result = known.get(id) ?? load(id);
    known.set(id, result);
    return result;
  };
}
