/** The registries state what a sale with so many buyers in ten minutes needs. */
export const fullSaleBuyers = 50_000;

/** The least with which a function works, in an account with little: a tenth of the full number, which is a sale of 5,000 buyers. */
export function leastConcurrency(full: number): number {
  return Math.min(full, Math.max(2, Math.ceil(full / 10)));
}

/** A number from the least to the full one, by the share that the account has room for. Rounded down, so a sum never exceeds the room. */
export function concurrencyBetween(least: number, full: number, share: number): number {
  return least + Math.floor((full - least) * share);
}

/** The functions of a sale, by the ids of their registry entries. */
export type Concurrencies = Readonly<Record<string, number>>;

interface ReservingEntry {
  readonly id: string;
  readonly runtime: { readonly concurrency: number | undefined; readonly raisedForSale: boolean };
}

/** The full numbers of the functions that a sale raises. */
export function fullSaleConcurrencies(entries: readonly ReservingEntry[]): Concurrencies {
  return Object.fromEntries(
    entries.flatMap(({ id, runtime: { concurrency, raisedForSale } }) =>
      raisedForSale && concurrency !== undefined ? [[id, concurrency]] : [],
    ),
  );
}

/** What the functions of a sale need for so many buyers, and never less than on every other day. Only those that a stage has. */
export function saleConcurrencies(full: Concurrencies, everyday: Concurrencies, buyers: number): Concurrencies {
  const needed = Object.entries(everyday).map(([id, least]) => {
    const number = full[id] ?? 0;
    return [id, Math.max(least, Math.ceil((number * buyers) / fullSaleBuyers))] as const;
  });
  return Object.fromEntries(needed);
}

export const totalConcurrency = (concurrencies: Concurrencies): number =>
  Object.values(concurrencies).reduce((total, each) => total + each, 0);

/** The most buyers whose sale fits into the room, in steps of 500; 0 if none does. */
export function mostSaleBuyers(full: Concurrencies, everyday: Concurrencies, room: number): number {
  const fits = (buyers: number) => totalConcurrency(saleConcurrencies(full, everyday, buyers)) <= room;
  for (let steps = 1; steps <= 2_000; steps += 1) if (!fits(500 * steps)) return 500 * (steps - 1);
  return 1_000_000;
}
