import type { Table } from './table.ts';
import { type Compose, noSideEffects, type Refusal, type SideEffects, transact } from './transact.ts';

/** What is written together with a change. */
export interface Additions<Change> {
  /** What the caller changes at the same time, such as the basket that becomes an order. It is told what was refused of it. */
  readonly callerItems?: SideEffects<Change>;
  readonly sideEffects?: SideEffects<Change>;
}

/** Whose conditions did not hold: each named by its place among its own items. Both are empty when everything was written. */
export interface Refusals {
  readonly own: readonly Refusal[];
  readonly callerItems: readonly Refusal[];
}

/** Writes a change and what belongs to it as one transaction, and tells apart whose part was refused. */
export async function transactWithCallerItems<Change>(
  table: Table,
  compose: Compose,
  change: Change,
  { callerItems = noSideEffects, sideEffects = noSideEffects }: Additions<Change>,
): Promise<Refusals> {
  const others = callerItems(change);
  let count = 0;
  const refusals = await transact(
    table,
    (attempt) => {
      const items = compose(attempt);
      count = items.length;
      return [...items, ...others];
    },
    sideEffects(change),
  );
  return {
    own: refusals.filter(({ index }) => index < count),
    callerItems: refusals
      .filter(({ index }) => index >= count)
      .map(({ index, current }) => ({ index: index - count, current })),
  };
}
