import type { JournalEntry } from '../../domain/journal/entry.ts';
import { listHorizonMs, readSharded, type ShardedPage, shardNumbers, type TimeWindow } from '../lists/sharded-list.ts';
import { eventJournalPartition, journalPartition, orderJournalPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { entryIds } from './entry-ids.ts';
import { parseEntry } from './row.ts';

export interface JournalQuery extends TimeWindow {
  readonly eventId: number | undefined;
  readonly orderId: number | undefined;
  readonly limit: number;
  readonly nowMs: number;
}

/** Reads entries of the organisation, of one event or of one order, oldest first. */
export async function readJournal(
  table: Table,
  orgId: string,
  { eventId, orderId, limit, nowMs, ...window }: JournalQuery,
): Promise<ShardedPage<JournalEntry>> {
  if (orderId !== undefined) {
    const ofOrder = await entriesOfOrder(table, orgId, orderId);
    const found = ofOrder.filter((entry) => isIn(window, entry) && (eventId ?? entry.eventId) === entry.eventId);
    return { rows: found.slice(0, limit), next: found.length > limit ? found[limit - 1]?.entryId : undefined };
  }
  const common = { parse: parseEntry, idOf: ({ entryId }: JournalEntry) => entryId, floor: entryIds.floor };
  const list =
    eventId === undefined
      ? { ...common, partitions: shardNumbers.map((shard) => journalPartition(orgId, shard)) }
      : { ...common, partitions: [eventJournalPartition(orgId, eventId)], index: 'by1' as const };
  return readSharded(table, list, { ...window, untilMs: Math.min(window.untilMs, nowMs - listHorizonMs) }, limit);
}

function isIn({ after = '', sinceMs, untilMs }: TimeWindow, { entryId, atUnix }: JournalEntry): boolean {
  return entryId > after && atUnix * 1000 >= sinceMs && atUnix * 1000 < untilMs;
}

/** Reads all entries of an order, oldest first: its sale, a refund of at most every ticket, and its disputes. */
export async function entriesOfOrder(table: Table, orgId: string, orderId: number): Promise<JournalEntry[]> {
  const items = await queryAll(table, {
    IndexName: 'by2',
    KeyConditionExpression: 'by2pk = :pk',
    ExpressionAttributeValues: { ':pk': orderJournalPartition(orgId, orderId) },
  });
  return items.map(parseEntry);
}
