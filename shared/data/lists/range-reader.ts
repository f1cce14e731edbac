import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A range of neighbouring rows in the table or an index, which one Query reads in the order of their keys. */
export interface RowRange<Row> {
  readonly partition: string;
  /**
   * The index that is read instead of the table. `keyAt` returns the primary key of the row at a sort key of the index. If the sort
   * key does not say it, reading that begins after a row reads that row again and leaves it out.
   */
  readonly index?: { readonly name: `by${1 | 2 | 3 | 4 | 5 | 6}`; readonly keyAt?: (sortKey: string) => ItemKey };
  /** The first and the last sort key, both inclusive; or the prefix that all sort keys have. */
  readonly from?: string;
  readonly to?: string;
  readonly prefix?: string;
  /** Whether the latest writes must be visible. That costs twice as much, and indexes do not support it. */
  readonly consistent?: boolean;
  readonly parse: (item: unknown) => Row;
}

interface Direction {
  readonly after?: string | undefined;
  readonly descending?: boolean;
}

/** Reads a range batch by batch, in one direction. */
export class RangeReader<Row> {
  readonly #table: Table;
  readonly #range: RowRange<Row>;
  readonly #descending: boolean;
  /** The sort key of the last row that was read, or after which reading begins. */
  sortKey: string | undefined;
  /** Where DynamoDB says that the next row follows. */
  #lastKey: Record<string, unknown> | undefined;
  /** Whether the whole range has been read. */
  hasEnded = false;

  constructor(table: Table, range: RowRange<Row>, { after, descending = false }: Direction = {}) {
    this.#table = table;
    this.#range = range;
    this.#descending = descending;
    this.sortKey = after;
    // DynamoDB rejects a range whose end is before its start.
    this.hasEnded = range.from !== undefined && range.to !== undefined && range.from > range.to;
  }

  /**
   * The rest of the range. DynamoDB continues at `ExclusiveStartKey` for the same price without this narrower bound. DynamoDB
   * Local needs it: otherwise it reads everything before the start key again.
   */
  #remaining(): RowRange<Row> {
    const { sortKey } = this;
    const { from, to, prefix } = this.#range;
    if (sortKey === undefined) return this.#range;
    if (prefix !== undefined) {
      const { prefix: _, ...range } = this.#range;
      // No key contains this character, the last of all.
      return this.#descending ? this.#range : { ...range, from: sortKey, to: `${prefix}\u{10ffff}` };
    }
    const isOutside = (from !== undefined && sortKey < from) || (to !== undefined && sortKey > to);
    if (isOutside) return this.#range;
    return { ...this.#range, ...(this.#descending ? { to: sortKey } : { from: sortKey }) };
  }

  /** Where the next row follows; undefined at the beginning, or if only the sort key of the row before it is known. */
  #startKey(): Record<string, unknown> | undefined {
    const { index } = this.#range;
    if (this.#lastKey !== undefined || this.sortKey === undefined) return this.#lastKey;
    return index !== undefined && index.keyAt === undefined ? undefined : keyAt(this.#range, this.sortKey);
  }

  /** Returns at most this many of the next rows, and fewer if a Query ends at its size limit. */
  async read(limit: number): Promise<Row[]> {
    if (this.hasEnded) return [];
    const { index, consistent = false, parse } = this.#range;
    const start = this.#startKey();
    const before = start === undefined ? this.sortKey : undefined;
    const { Items = [], LastEvaluatedKey } = await this.#table.client.send(
      new QueryCommand({
        TableName: this.#table.name,
        ...(index !== undefined && { IndexName: index.name }),
        ...conditionOf(this.#remaining()),
        ScanIndexForward: !this.#descending,
        ConsistentRead: consistent,
        Limit: before === undefined ? limit : limit + 1,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    const last = Items.at(-1);
    if (last !== undefined) this.sortKey = String(last[namesOf(this.#range).sk]);
    this.#lastKey = LastEvaluatedKey;
    this.hasEnded = LastEvaluatedKey === undefined;
    const { sk } = namesOf(this.#range);
    return Items.filter((item) => before === undefined || item[sk] !== before).map((item) => parse(item));
  }
}

/** Returns all rows of a range. `batch` is how many a Query reads at most. */
export async function readRange<Row>(table: Table, range: RowRange<Row>, batch: number): Promise<readonly Row[]> {
  const reader = new RangeReader(table, range);
  const rows: Row[] = [];
  while (!reader.hasEnded) rows.push(...(await reader.read(batch)));
  return rows;
}

/** More rows than one Query can return. */
export const maxBatch = 100_000;

function namesOf({ index }: Pick<RowRange<unknown>, 'index'>): { pk: string; sk: string } {
  return index === undefined ? { pk: 'pk', sk: 'sk' } : { pk: `${index.name}pk`, sk: `${index.name}sk` };
}

function conditionOf(range: Omit<RowRange<unknown>, 'parse'>) {
  const { pk, sk } = namesOf(range);
  const { partition, from, to, prefix } = range;
  const bounds = {
    ...(from !== undefined && { ':from': from }),
    ...(to !== undefined && { ':to': to }),
    ...(prefix !== undefined && { ':prefix': prefix }),
  };
  return {
    KeyConditionExpression: [`${pk} = :pk`, ...boundOf(sk, range)].join(' AND '),
    ExpressionAttributeValues: { ':pk': partition, ...bounds },
  };
}

function boundOf(sk: string, { from, to, prefix }: Pick<RowRange<unknown>, 'from' | 'to' | 'prefix'>): string[] {
  if (prefix !== undefined) return [`begins_with(${sk}, :prefix)`];
  if (from !== undefined && to !== undefined) return [`${sk} BETWEEN :from AND :to`];
  if (from !== undefined) return [`${sk} >= :from`];
  return to === undefined ? [] : [`${sk} <= :to`];
}

/** The start key for a sort key. The row at that sort key may have been moved or deleted; DynamoDB does not need it to exist. */
function keyAt(range: Omit<RowRange<unknown>, 'parse'>, sortKey: string): Record<string, string> {
  const { pk, sk } = namesOf(range);
  return { [pk]: range.partition, [sk]: sortKey, ...range.index?.keyAt?.(sortKey) };
}
