type Given<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The fields of a PATCH that were sent: an absent one is undefined, and keeps its value. */
export function given<Values extends object>(values: Values): Given<Values> {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Given<Values>;
}
