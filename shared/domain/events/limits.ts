/** The longest texts and largest numbers of the catalogue, in imports and in the API. */
export const catalogueLimits = {
  title: 200,
  code: 64,
  slug: 100,
  address: 2_000,
  /** In major units. A hundred tickets at this price are still exact. */
  amount: 100_000_000,
  capacity: 100_000_000,
  orderBy: 1_000_000_000,
} as const;
