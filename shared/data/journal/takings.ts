import { type Takings, type TakingsFilter, TakingsSum } from '../../domain/journal/takings.ts';
import { shardNumbers, type TimeWindow } from '../lists/sharded-list.ts';
import { journalPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { entryIds } from './entry-ids.ts';
import { parseEntry } from './row.ts';

interface TakingsQuery extends TakingsFilter, Pick<TimeWindow, 'sinceMs' | 'untilMs'> {}

/** Adds up what was taken and returned at counters, from the entries of the journal themselves: so it equals them to the cent. */
export async function readTakings(
  table: Table,
  orgId: string,
  { sinceMs, untilMs, ...filter }: TakingsQuery,
): Promise<readonly Takings[]> {
  const takings = new TakingsSum(filter);
  if (sinceMs >= untilMs) return [];
  await Promise.all(
    shardNumbers.map(async (shard) => {
      const pages = queryPages(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        FilterExpression: 'attribute_exists(tend)',
        ExpressionAttributeValues: {
          ':pk': journalPartition(orgId, shard),
          ':from': entryIds.floor(sinceMs),
          ':to': entryIds.floor(untilMs),
        },
        ConsistentRead: true,
      });
      for await (const page of pages) for (const entry of page.map(parseEntry)) takings.add(entry);
    }),
  );
  return takings.rows();
}
