/** Whoever will decide or write by what was read must see the latest; whoever only shows it pays half. */
export interface Reading {
  readonly consistent?: boolean;
}
