import type { Offer } from '../../domain/baskets/offer.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import { listEndUnix, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { tooFewIn } from '../../domain/waiting-list/who-fits.ts';
import { personHash } from '../table/hash-key.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import {
  closeStock,
  isClosedStock,
  leftIn,
  listHint,
  listHintPut,
  lookSeconds,
  type SeenStocks,
  touchClosedStock,
} from './closed-stock.ts';
import { entryItem, placeOf, queueItem } from './row.ts';

export interface Joining {
  readonly offer: Offer;
  readonly seen: SeenStocks;
  /** The entry of the person, which has ended; undefined if the person never joined. */
  readonly before: WaitingEntry | undefined;
  readonly wanted: Pick<WaitingEntry, 'entryId' | 'priceIndex' | 'quantity' | 'acceptLess' | 'emailAddress' | 'userId'>;
  readonly nowMs: number;
}

/**
 * Puts somebody at the end of the queue, and closes the stocks that have too few for them, in one transaction. Undefined if the entry
 * or a stock has changed since it was read.
 */
export async function joinWaitingList(
  table: Table,
  { offer, seen, before, wanted, nowMs }: Joining,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<WaitingEntry | undefined> {
  const { orgId, eventId } = seen;
  const nowUnix = Math.floor(nowMs / 1000);
  const entry: WaitingEntry = {
    ...wanted,
    eventId,
    status: 'waiting',
    place: placeOf(wanted.entryId, nowMs),
    joinedUnix: nowUnix,
    basketId: null,
    offerUntilUnix: null,
    version: (before?.version ?? 0) + 1,
  };
  const hash = await personHash(table);
  const TableName = table.name;
  const items: TransactItem[] = [
    { Put: { TableName, Item: entryItem(orgId, entry, { hash, nowUnix }), ...unchangedSince(before) } },
    { Put: { TableName, Item: queueItem(orgId, entry) } },
    ...stocksClosed(table, { offer, seen, entry, nowUnix }),
  ];
  const refused = await transact(table, items, sideEffects(entry));
  return refused.length === 0 ? entry : undefined;
}

/** Every list with a closed stock has a hint: the one that closes it writes the first. */
function stocksClosed(
  table: Table,
  { offer, seen, entry, nowUnix }: Pick<Joining, 'offer' | 'seen'> & { entry: WaitingEntry; nowUnix: number },
): TransactItem[] {
  const { orgId, eventId } = seen;
  const tooFew = new Set(tooFewIn(entry, offer, (index) => leftIn(seen, index)));
  const closed = stockIndexes(offer.price).filter((index) => isClosedStock(seen, index));
  const closing = [...tooFew].filter((index) => !closed.includes(index));
  const dueUnix = Math.min(nowUnix + lookSeconds, listEndUnix(offer));
  return [
    ...closed.map((index) => touchClosedStock(table, seen, index)),
    ...closing.flatMap((index) => closeStock(table, seen, index)),
    ...(closing.length > 0 ? [listHintPut(table, listHint(orgId, eventId, dueUnix))] : []),
  ];
}
