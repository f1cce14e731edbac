import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { tableSchema } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/**
 * How far a list of time-ordered ids stays behind the present. An id is created before its transaction is written, so a row with
 * a smaller id may appear after one with a greater id. A transaction gives up before this time (transact), so older rows are
 * complete: a client that has read up to an id has read everything before it.
 */
export const listHorizonMs = 6_000;

/** How many partitions the rows of one organisation are spread over. */
export const listShards = 8;

/** The id alone determines the shard and leads to the row. The last letter of an id is random. */
export function shardOf(id: string): number {
  return id.charCodeAt(id.length - 1) % listShards;
}

export const shardNumbers: readonly number[] = Array.from({ length: listShards }, (_, shard) => shard);

export interface TimeWindow {
  /** The page begins after this id. */
  readonly after: string | undefined;
  /** Only rows from sinceMs (inclusive) to untilMs (exclusive). */
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface ShardedList<Row> {
  /** The sort keys in them are ids. */
  readonly partitions: readonly string[];
  /** The index that has the partitions; without one they are those of the table. */
  readonly index?: (typeof tableSchema.indexes)[number]['name'];
  readonly parse: (item: unknown) => Row;
  readonly idOf: (row: Row) => string;
  /** The smallest id of a millisecond. */
  readonly floor: (ms: number) => string;
}

export interface ShardedPage<Row> {
  readonly rows: readonly Row[];
  /** The next page begins after this id; undefined when nothing follows yet. */
  readonly next: string | undefined;
}

/** Reads rows in the order of their ids, merged from all partitions. */
export async function readSharded<Row>(
  table: Table,
  list: ShardedList<Row>,
  { after, sinceMs, untilMs }: TimeWindow,
  limit: number,
): Promise<ShardedPage<Row>> {
  const { partitions, idOf, floor } = list;
  const first = floor(sinceMs);
  const bounds = { from: after !== undefined && after > first ? idAfter(after) : first, to: floor(untilMs) };
  if (bounds.from >= bounds.to) return { rows: [], next: undefined };
  // Each partition holds about an equal share of a page. The merge shows which partitions have to be read further.
  const pageSize = Math.ceil(limit / partitions.length) + 1;
  const readers = partitions.map((partition): Reader<Row> => ({ partition, rows: [], hasMore: true }));
  const endsBefore = (last: Row | undefined, beyond: Row | undefined): boolean =>
    last === undefined || beyond === undefined || idOf(last) < idOf(beyond);
  let incomplete = readers;
  for (;;) {
    await Promise.all(
      incomplete.map(async (reader) => {
        const last = reader.rows.at(-1);
        const range = { ...bounds, ...(last && { from: idAfter(idOf(last)) }) };
        const { rows, hasMore } = await readPartition(table, list, { ...reader, ...range, limit: pageSize });
        reader.rows.push(...rows);
        reader.hasMore = hasMore;
      }),
    );
    const merged = readers.flatMap(({ rows }) => rows).sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
    incomplete = readers.filter(({ hasMore, rows }) => hasMore && endsBefore(rows.at(-1), merged[limit]));
    if (incomplete.length > 0) continue;
    const rows = merged.slice(0, limit);
    const last = rows.at(-1);
    return { rows, next: merged.length > limit && last !== undefined ? idOf(last) : undefined };
  }
}

/** The rows that were read from one partition so far. */
interface Reader<Row> {
  readonly partition: string;
  readonly rows: Row[];
  hasMore: boolean;
}

/** Greater than the id and smaller than every later id: all ids have the same length. */
function idAfter(id: string): string {
  return `${id}~`;
}

async function readPartition<Row>(
  table: Table,
  { index, parse }: ShardedList<Row>,
  range: { readonly partition: string; readonly from: string; readonly to: string; readonly limit: number },
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      // A replica that lags would skip a row, and the client would never request that page again. Indexes have no such read.
      ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
      KeyConditionExpression: `${index ?? ''}pk = :pk AND ${index ?? ''}sk BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':pk': range.partition, ':from': range.from, ':to': range.to },
      Limit: range.limit,
    }),
  );
  // Without a row there would be no id after which to go on.
  return { rows: Items.map(parse), hasMore: LastEvaluatedKey !== undefined && Items.length > 0 };
}
