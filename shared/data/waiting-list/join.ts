import type { Offer } from '../../domain/baskets/offer.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import {
  type EntryStatus,
  listEndUnix,
  mayAnnounceRequest,
  type WaitingEntry,
} from '../../domain/waiting-list/entry.ts';
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
  /** The entry of the person, which has ended or is not confirmed; undefined if the person never joined. */
  readonly before: WaitingEntry | undefined;
  readonly wanted: WantedEntry;
  readonly nowMs: number;
}

type WantedEntry = Pick<
  WaitingEntry,
  'eventId' | 'entryId' | 'priceIndex' | 'quantity' | 'acceptLess' | 'emailAddress' | 'userId'
>;

function newEntry(
  { before, wanted, nowMs }: Pick<Joining, 'before' | 'wanted' | 'nowMs'>,
  status: EntryStatus,
): WaitingEntry {
  const { eventId, entryId, priceIndex, quantity, acceptLess, emailAddress, userId } = wanted;
  return {
    eventId,
    entryId,
    priceIndex,
    quantity,
    acceptLess,
    emailAddress,
    userId,
    status,
    place: placeOf(entryId, nowMs),
    joinedUnix: Math.floor(nowMs / 1000),
    basketId: null,
    offerUntilUnix: null,
    offeredQuantity: null,
    requestAnnouncedUnix: before?.requestAnnouncedUnix ?? null,
    requestedUnix: before?.requestedUnix ?? null,
    version: (before?.version ?? 0) + 1,
  };
}

/**
 * Stores that somebody asked to join for an address that nobody has proved: an entry without a place, which closes nothing. The side
 * effects learn whether the request is announced. Undefined if the entry has changed since it was read.
 */
export async function requestPlace(
  table: Table,
  { orgId, ...request }: Pick<Joining, 'before' | 'wanted' | 'nowMs'> & { readonly orgId: string },
  sideEffects: (entry: WaitingEntry, isAnnounced: boolean) => readonly TransactItem[],
): Promise<WaitingEntry | undefined> {
  const nowUnix = Math.floor(request.nowMs / 1000);
  const isAnnounced = mayAnnounceRequest(request.before, nowUnix);
  const asked = newEntry(request, 'unconfirmed');
  // Asked again before it is confirmed, or without another mail to the address, it is the same request: the link of that mail stays true.
  const isNew = isAnnounced && request.before?.status !== 'unconfirmed';
  const entry = {
    ...asked,
    ...(isAnnounced && { requestAnnouncedUnix: nowUnix }),
    ...(isNew && { requestedUnix: nowUnix }),
  };
  const Item = entryItem(orgId, entry, { hash: await personHash(table), nowUnix });
  const put = { Put: { TableName: table.name, Item, ...unchangedSince(request.before) } };
  const refused = await transact(table, [put], sideEffects(entry, isAnnounced));
  return refused.length === 0 ? entry : undefined;
}

/**
 * Puts somebody at the end of the queue, and closes the stocks that have too few for them, in one transaction. Undefined if the entry
 * or a stock has changed since it was read.
 */
export async function joinWaitingList(
  table: Table,
  { offer, seen, ...joining }: Joining,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<WaitingEntry | undefined> {
  const { orgId } = seen;
  const entry = newEntry(joining, 'waiting');
  const nowUnix = entry.joinedUnix;
  const hash = await personHash(table);
  const TableName = table.name;
  const items: TransactItem[] = [
    { Put: { TableName, Item: entryItem(orgId, entry, { hash, nowUnix }), ...unchangedSince(joining.before) } },
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
