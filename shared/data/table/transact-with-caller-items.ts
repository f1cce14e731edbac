import type { Table } from './table.ts';
import { type Compose, noSideEffects, type Refusal, type SideEffects, transact } from './transact.ts';

/** What a data function writes in the same transaction as its own items, on behalf of its caller. */
export interface TransactionExtras<Change> {
  /** Items that the caller changes, such as the basket that becomes an order. The caller learns which of them were refused. */
  readonly callerItems?: SideEffects<Change>;
  /** The event that announces the change and the idempotency receipt. If they are refused, `SideEffectsRefused` is thrown. */
  readonly sideEffects?: SideEffects<Change>;
}

/**
 * The items whose conditions failed, grouped by their owner. `index` counts within the group: 0 is the first own item, or
 * the caller's first item. Both groups are empty if everything was written.
 */
export interface Refusals {
  readonly own: readonly Refusal[];
  readonly callerItems: readonly Refusal[];
}

/**
 * Writes three groups of items in one transaction: the own items of the data function (`composeOwnItems`), the caller's
 * items, and the side effects. Returns which own items and which caller items were refused.
 */
export async function transactWithCallerItems<Change>(
  table: Table,
  composeOwnItems: Compose,
  change: Change,
  { callerItems: composeCallerItems = noSideEffects, sideEffects = noSideEffects }: TransactionExtras<Change>,
): Promise<Refusals> {
  const callerItems = composeCallerItems(change);
  let ownCount = 0;
  const refusals = await transact(
    table,
    (attempt) => {
      const ownItems = composeOwnItems(attempt);
      ownCount = ownItems.length;
      return [...ownItems, ...callerItems];
    },
    sideEffects(change),
  );
  return {
    own: refusals.filter(({ index }) => index < ownCount),
    callerItems: refusals
      .filter(({ index }) => index >= ownCount)
      .map(({ index, current }) => ({ index: index - ownCount, current })),
  };
}
