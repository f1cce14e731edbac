import { entryOf } from '../../domain/journal/entries/entry-of.ts';
import { imbalanceMinor } from '../../domain/journal/entry.ts';
import type { MoneyMove } from '../../domain/journal/money-moves.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { entryIds } from './entry-ids.ts';
import { entryItem } from './row.ts';

/**
 * The items that enter what moved money into the journal: the only way to write an entry (ADR 52). They belong to the transaction with the
 * row whose version proves the change, so a change that is refused or repeated has no entry. None if nothing moved money. Call it again for
 * each attempt of a transaction, so that the id is close to the time of the write (`listHorizonMs` relies on that). `nowMs` is also when
 * the money moved.
 */
export function journalItems(
  table: Table,
  orgId: string,
  move: MoneyMove | undefined,
  nowMs: number,
): readonly TransactItem[] {
  const Item = move && journalItem(orgId, move, nowMs);
  if (Item === undefined) return [];
  return [{ Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' } }];
}

/** The entry of a move as an item, for generated data; undefined if it moved no money. */
export function journalItem(orgId: string, move: MoneyMove, nowMs: number): ReturnType<typeof entryItem> | undefined {
  const entry = entryOf(move);
  if (entry === undefined) return undefined;
  // A wrong entry is never corrected, so none is written.
  if (imbalanceMinor(entry) !== 0)
    throw new RangeError(`The ${entry.kind} of order ${entry.orderId} does not add up to 0.`);
  const recorded = { ...entry, entryId: entryIds.create(nowMs), atUnix: Math.floor(nowMs / 1000) };
  return entryItem(orgId, recorded);
}
