/** Looks each thing up once, however often it is asked for. */
export function memoize<Result>(look: (id: string) => Promise<Result>): (id: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (id) => {
    const result = known.get(id) ?? look(id);
    known.set(id, result);
    return result;
  };
}
