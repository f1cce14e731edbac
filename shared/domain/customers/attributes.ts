/** Numbers that an organisation keeps of a customer, such as loyalty points or 1 for a verified access need. */
export type CustomerAttributes = Readonly<Record<string, number>>;

export const attributeLimits = { names: 20, length: 40 } as const;

const namePattern = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns the first name that an attribute cannot have; undefined if all can. */
export function wrongAttributeName(attributes: CustomerAttributes): string | undefined {
  return Object.keys(attributes).find((name) => !namePattern.test(name));
}
