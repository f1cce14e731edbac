import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { QueuedWish } from '../../domain/waiting-list/entry.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readEventSlices } from '../prices/stock.ts';
import { overdueHints } from '../table/due-hints.ts';
import { type ItemKey, stockKey, waitingEntryKey, waitingOfferKey, waitingQueueKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { lookSeconds } from '../waiting-list/closed-stock.ts';
import { readEntries, readOpenOffers, readQueue } from '../waiting-list/read.ts';

/**
 * Checks that everybody who waits has a place and everybody who was offered tickets an offer, and the other way round; and that every closed
 * stock is closed in all slices and has a hint, so that it is opened when nobody waits any more.
 */
export async function auditWaitingList(
  table: Table,
  { orgId, eventId }: CountedEvent,
  nowUnix: number,
): Promise<readonly Finding[]> {
  const entries = new Map((await readEntries(table, orgId, eventId)).map((entry) => [entry.entryId, entry]));
  const slices = await readEventSlices(table, orgId, eventId);
  // Most events have no list. One that is gone may still have closed a stock.
  if (entries.size === 0 && !slices.some(({ closed }) => closed)) return [];
  const queue: QueuedWish[] = [];
  for await (const wishes of readQueue(table, orgId, eventId)) queue.push(...wishes);
  const offers = await readOpenOffers(table, orgId, eventId);
  const finding = (key: ItemKey, problem: string): Finding => ({ check: 'waiting-list', row: nameRow(key), problem });
  const places = new Set(queue.map(({ place }) => place));
  const offered = new Set(offers.map(({ basketId }) => basketId));
  const hasHint =
    slices.some((slice) => slice.closed) && (await isDue(table, { orgId, eventId }, nowUnix + 2 * lookSeconds));
  return [
    ...queue
      .filter(({ entryId, place }) => {
        const entry = entries.get(entryId);
        return entry?.status !== 'waiting' || entry.place !== place;
      })
      .map(({ place }) => finding(waitingQueueKey(orgId, eventId, place), 'Nobody waits at this place.')),
    ...offers
      .filter(({ entryId, basketId }) => {
        const entry = entries.get(entryId);
        return entry?.status !== 'offered' || entry.basketId !== basketId;
      })
      .map(({ basketId }) => finding(waitingOfferKey(orgId, eventId, basketId), 'Nobody has this offer.')),
    ...[...entries.values()].flatMap(({ entryId, status, place, basketId }) => {
      const key = waitingEntryKey(orgId, eventId, entryId);
      if (status === 'waiting' && !places.has(place)) return [finding(key, 'It waits and has no place.')];
      return status === 'offered' && !offered.has(basketId ?? 0) ? [finding(key, 'Its offer is missing.')] : [];
    }),
    ...[...Map.groupBy(slices, ({ index }) => index)].flatMap(([index, own]) => {
      const closed = own.filter((slice) => slice.closed).length;
      const key = stockKey(orgId, eventId, index);
      if (closed > 0 && closed < own.length) return [finding(key, 'It is closed in some slices and open in others.')];
      if (closed === 0 || hasHint) return [];
      const why = queue.length === 0 ? 'It is closed, nobody waits' : 'It is closed';
      return [finding(key, `${why}, and no hint leads to its waiting list.`)];
    }),
  ];
}

/** Whether a hint makes the sweeper look at the list of an event before then. Each list is looked at within an hour. */
async function isDue(table: Table, { orgId, eventId }: CountedEvent, untilUnix: number): Promise<boolean> {
  for await (const hints of overdueHints(table, 'waiting', untilUnix)) {
    if (hints.some(({ ref }) => ref[0] === orgId && Number(ref[1]) === eventId)) return true;
  }
  return false;
}
