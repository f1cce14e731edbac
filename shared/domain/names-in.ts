/** The names in a record whose type knows them all, which Object.keys forgets. */
export function namesIn<Named extends object>(record: Named): (keyof Named & string)[] {
  return Object.keys(record).filter((name): name is keyof Named & string => Object.hasOwn(record, name));
}
