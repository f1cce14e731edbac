/** The keys of an object with their literal types; `Object.keys` returns plain strings. */
export function typedKeys<Named extends object>(record: Named): (keyof Named & string)[] {
  return Object.keys(record).filter((name): name is keyof Named & string => Object.hasOwn(record, name));
}
