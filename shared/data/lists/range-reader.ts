import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A stretch of rows that lie side by side in the table or an index: one Query reads it in the order of its keys. */
export interface RowRange<Row> {
  readonly partition: string;
  /** The index that is read instead of the table, with the way from a place in it to the row's own key. */
  readonly index?: { readonly name: `by${1 | 2 | 3 | 4 | 5}`; readonly keyAt: (sortKey: string) => ItemKey };
  /** The first and the last place, both within the range; or the beginning that all places have. */
  readonly from?: string;
  readonly to?: string;
  readonly prefix?: string;
  /** Whether what was written a moment ago must be seen; it costs twice as much, and an index cannot promise it. */
  readonly consistent?: boolean;
  readonly parse: (item: unknown) => Row;
}

interface Direction {
  readonly after?: string | undefined;
  readonly descending?: boolean;
}

/** Reads a range piece by piece, in one direction. */
export class RangeReader<Row> {
  readonly #table: Table;
  readonly #range: RowRange<Row>;
  readonly #descending: boolean;
  /** The last row read, or where reading began. */
  sortKey: string | undefined;
  /** Whether the range has nothing beyond what was read. */
  ended = false;

  constructor(table: Table, range: RowRange<Row>, { after, descending = false }: Direction = {}) {
    this.#table = table;
    this.#range = range;
    this.#descending = descending;
    this.sortKey = after;
    // The table refuses a range that ends before it begins.
    this.ended = range.from !== undefined && range.to !== undefined && range.from > range.to;
  }

  /**
   * What is left of the range. Behind a starting key the table would find it by itself and for the same price; DynamoDB Local only
   * does so by way of the range's bounds, and otherwise goes past everything that was read before.
   */
  #ahead(): RowRange<Row> {
    const { sortKey } = this;
    const { from, to, prefix } = this.#range;
    if (sortKey === undefined || prefix !== undefined) return this.#range;
    const isOutside = (from !== undefined && sortKey < from) || (to !== undefined && sortKey > to);
    if (isOutside) return this.#range;
    return { ...this.#range, ...(this.#descending ? { to: sortKey } : { from: sortKey }) };
  }

  /** At most this many of the next rows; fewer also where the table ends an answer by its size. */
  async read(limit: number): Promise<Row[]> {
    if (this.ended) return [];
    const { index, consistent = false, parse } = this.#range;
    const { Items = [], LastEvaluatedKey } = await this.#table.client.send(
      new QueryCommand({
        TableName: this.#table.name,
        ...(index !== undefined && { IndexName: index.name }),
        ...conditionOf(this.#ahead()),
        ScanIndexForward: !this.#descending,
        ConsistentRead: consistent,
        Limit: limit,
        ...(this.sortKey !== undefined && { ExclusiveStartKey: keyAt(this.#range, this.sortKey) }),
      }),
    );
    const last = Items.at(-1);
    if (last !== undefined) this.sortKey = String(last[namesOf(this.#range).sk]);
    this.ended = LastEvaluatedKey === undefined;
    return Items.map((item) => parse(item));
  }
}

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

/** The key of whatever stands or stood at a place: the row may have moved on since, the place has not. */
function keyAt(range: Omit<RowRange<unknown>, 'parse'>, sortKey: string): Record<string, string> {
  const { pk, sk } = namesOf(range);
  return { [pk]: range.partition, [sk]: sortKey, ...range.index?.keyAt(sortKey) };
}
