import type { Table } from './table.ts';
import { type Along, type Compose, nothingAlong, type Refusal, transact } from './transact.ts';

/** What is written together with a change. */
export interface Together<Change> {
  /** What the caller changes at the same time, such as the basket that becomes an order. It is told what was refused of it. */
  readonly beside?: Along<Change>;
  readonly along?: Along<Change>;
}

/** Whose conditions did not hold: each named by its place among its own items. Both are empty when everything was written. */
export interface Refusals {
  readonly own: readonly Refusal[];
  readonly beside: readonly Refusal[];
}

/** Writes a change and what belongs to it as one transaction, and tells apart whose part was refused. */
export async function transactBeside<Change>(
  table: Table,
  compose: Compose,
  change: Change,
  { beside = nothingAlong, along = nothingAlong }: Together<Change>,
): Promise<Refusals> {
  const others = beside(change);
  let count = 0;
  const refusals = await transact(
    table,
    (attempt) => {
      const items = compose(attempt);
      count = items.length;
      return [...items, ...others];
    },
    along(change),
  );
  return {
    own: refusals.filter(({ index }) => index < count),
    beside: refusals
      .filter(({ index }) => index >= count)
      .map(({ index, current }) => ({ index: index - count, current })),
  };
}
