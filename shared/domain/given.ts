type Given<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The fields without those that are undefined: what a PATCH sent, or what a row stores. */
export function given<Values extends object>(values: Values): Given<Values> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Given<Values>;
}
