import { addSettled, type Settled, type Settlement } from '../../domain/journal/settlement.ts';
import { bucketStart, coverRange, salesBuckets, type TimeRange } from '../../domain/time/time-buckets.ts';
import type { Table } from '../table/table.ts';
import type { CounterItem } from './counter-item.ts';
import { salesShards } from './sales-shards.ts';

/**
 * The letters of what was settled, in the counters of sales: `f3` is what the tickets of price 3 brought. Unlike the others they
 * count what happened in their time, and a later refund does not change them.
 */
const letters = [
  ['f', 'grossMinor'],
  ['d', 'discountsMinor'],
  ['e', 'feesMinor'],
  ['v', 'taxMinor'],
  ['b', 'refundsMinor'],
  ['l', 'keptMinor'],
  ['w', 'withheldMinor'],
  ['q', 'tickets'],
] as const satisfies readonly (readonly [string, keyof Settled])[];
/** The name of a settled count: its letter and the index of its price. */
export const settledName = /^([fdevblwq])(\d+)$/;

/** What a settlement adds to a counter of its time. */
export function settledCounts(settlement: Settlement): Record<string, number> {
  return Object.fromEntries(
    [...settlement].flatMap(([price, settled]) =>
      letters.map(([letter, name]) => [`${letter}${price}`, settled[name]]),
    ),
  );
}

/** What a settlement adds to the counters of one shard. */
export function settlementCounters(
  orgId: string,
  { eventId, atUnix }: { readonly eventId: number; readonly atUnix: number },
  settlement: Settlement,
  shard: number,
): CounterItem[] {
  return salesBuckets.map((size) => ({
    key: salesShards.keyOf({ orgId, eventId }, { size, start: bucketStart(size, atUnix) }, shard),
    counts: settledCounts(settlement),
  }));
}

export function settlementOf(counts: Readonly<Record<string, unknown>>): Settlement {
  return addSettled(
    Object.entries(counts).flatMap(([attribute, count]) => {
      const [, letter, digits] = settledName.exec(attribute) ?? [];
      const name = letters.find(([one]) => one === letter)?.[1];
      return name === undefined || typeof count !== 'number' ? [] : [[Number(digits), { [name]: count }] as const];
    }),
  );
}

/** Returns the settlement of an event, in total or of whole minutes. */
export async function readSettlement(
  table: Table,
  orgId: string,
  eventId: number,
  range: TimeRange = {},
): Promise<Settlement> {
  // Seconds at the edges of a range belong to no whole minute.
  const reads = coverRange(range, salesBuckets).flatMap(({ size, from, to }) =>
    size === 'second' ? [] : [salesShards.read(table, { orgId, eventId }, { size, from, to }, { consistent: true })],
  );
  const buckets = (await Promise.all(reads)).flat();
  return addSettled(buckets.flatMap(({ counts }) => [...settlementOf(counts)]));
}
