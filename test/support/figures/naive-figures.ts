import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceCounts } from '../../../shared/domain/orders/counts.ts';
import type { TimeRange } from '../../../shared/domain/time/time-buckets.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';

type Item = Record<string, unknown>;

/** The rows of all orders, tickets and scans in the table. */
export interface RawRows {
  readonly orders: readonly Item[];
  readonly tickets: readonly Item[];
  readonly scans: readonly Item[];
}

export async function rawRows(table: Table, orgId: string): Promise<RawRows> {
  const [orders, tickets, scans] = await Promise.all(
    ['ORD', 'BAR', 'SCN'].map((kind) => itemsLike(table, `${kind}#${orgId}#`)),
  );
  return { orders: orders ?? [], tickets: tickets ?? [], scans: scans ?? [] };
}

const isWithin = (unix: unknown, { after, before }: TimeRange): boolean =>
  Number(unix) > (after ?? -1) && Number(unix) < (before ?? Number.POSITIVE_INFINITY);

/** Adds up the sold tickets one by one: the simplest way, and too slow to be served. */
export function naiveOrders({ orders, tickets }: RawRows, range: TimeRange = {}): Map<number, PriceCounts> {
  const placed = new Set(orders.filter(({ at }) => isWithin(at, range)).map(({ id }) => id));
  const counts = new Map<number, PriceCounts & { readonly buyers: Set<unknown> }>();
  for (const { order, nth, st, face = 0, off = 0, fee = 0, tax = 0 } of tickets.filter((each) =>
    placed.has(each.order),
  )) {
    const price = Number(nth);
    const known = counts.get(price) ?? {
      tickets: 0,
      orders: 0,
      netMinor: 0,
      grossMinor: 0,
      cancelled: 0,
      complimentary: 0,
      buyers: new Set(),
    };
    const isSold = st === 0 || st === 1;
    const netMinor = Number(face) - Number(off);
    if (isSold) known.buyers.add(order);
    counts.set(price, {
      tickets: known.tickets + (isSold ? 1 : 0),
      orders: known.buyers.size,
      netMinor: known.netMinor + (isSold ? netMinor : 0),
      grossMinor: known.grossMinor + (isSold ? netMinor + Number(fee) + Number(tax) : 0),
      cancelled: known.cancelled + (isSold ? 0 : 1),
      complimentary: 0,
      buyers: known.buyers,
    });
  }
  return new Map([...counts].map(([price, { buyers: _, ...rest }]) => [price, rest]));
}

/** How many tickets of each price were admitted. */
export function naiveAttended({ tickets, scans }: RawRows): Map<number, number> {
  const admitted = new Set(
    scans.filter(({ result, way }) => result === 'ok' && way === 'in').map(({ ticket }) => ticket),
  );
  const counts = new Map<number, number>();
  for (const { nth } of tickets.filter(({ id }) => admitted.has(id))) {
    counts.set(Number(nth), (counts.get(Number(nth)) ?? 0) + 1);
  }
  return counts;
}

export function naiveScans({ scans }: RawRows, range: TimeRange): number {
  return scans.filter(({ at }) => isWithin(at, range)).length;
}
