import { beforeAll, describe, expect, it } from 'vitest';
import type { CounterItem } from '../../../shared/data/counters/counter-item.ts';
import { readSales, salesCounters } from '../../../shared/data/counters/sales.ts';
import { salesShards } from '../../../shared/data/counters/sales-shards.ts';
import { scanShards } from '../../../shared/data/counters/scan-layout.ts';
import { countScans, readAttended, scanCounters } from '../../../shared/data/counters/scans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { OrderCounts } from '../../../shared/domain/orders/counts.ts';
import { bucketSeconds } from '../../../shared/domain/time/time-buckets.ts';
import { someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { partitionedTable } from '../../support/cost/partition-units.ts';
import { createTestTable } from '../../support/table.ts';

const { span, day, hour, minute } = bucketSeconds;
const prices = Array.from({ length: 8 }, (_, index) => index + 1);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Writes one item for all counts of a counter item, each count as large as it can get. */
async function put(counters: readonly CounterItem[], most: number): Promise<void> {
  const items = new Map<string, Record<string, unknown>>();
  for (const { key, counts } of counters) {
    const large = Object.fromEntries(Object.keys(counts).map((name) => [name, most]));
    items.set(key.pk + key.sk, { ...items.get(key.pk + key.sk), ...key, ...large });
  }
  await putItems(table, [...items.values()]);
}

/** Scans in these seconds by every shard, one price after the other, with their buckets of one size only. */
function readings(orgId: string, seconds: readonly number[], size: 'D' | 'H' | 'M'): CounterItem[] {
  return seconds
    .flatMap((scannedUnix, index) =>
      upTo(scanShards.count).flatMap((shard) =>
        scanCounters(orgId, { eventId: someEvent, scannedUnix, attendedPrice: prices[index % prices.length] }, shard),
      ),
    )
    .filter(({ key }) => key.pk.includes(`#X${size}`));
}

async function costOf<Answer>(read: (table: Table) => Promise<Answer>) {
  const { watched, queries, units } = partitionedTable(table);
  const result = await read(watched);
  const each = [...units.values()];
  return {
    result,
    queries: queries(),
    units: each.reduce((sum, one) => sum + one, 0),
    mostPerPartition: Math.max(...each),
  };
}

describe('cost of reading scan counters with every shard in use', () => {
  it('scan counters of a match cost one Query: half a unit for their number, one for the attendance', async () => {
    const evening = upTo(8).map((index) => someSpan + 17 * hour + (index * hour) / 2);
    await put(readings('match', evening, 'D'), 5_000);
    const total = await costOf((watched) => countScans(watched, 'match', someEvent));
    expect(total).toMatchObject({ result: 16 * 4 * 5_000, queries: 1, units: 0.5 });
    const attended = await costOf((watched) => readAttended(watched, 'match', someEvent));
    expect(attended).toMatchObject({ queries: 1, units: 1 });
    expect(attended.result).toEqual(new Map(prices.map((price) => [price, 16 * 5_000])));
  });

  it('scan counters of a fortnight, in a range with four edges, cost 11 Queries and at most twelve units per partition', async () => {
    const days = 14;
    const [from, to] = [someSpan + hour + minute + 1, someSpan + days * day - hour - minute - 1];
    const hoursAtEdges = [someSpan + hour, someSpan + days * day - 2 * hour];
    const minutesAtEdges = [someSpan + hour + minute, someSpan + days * day - hour - 2 * minute];
    const secondsOf = (starts: readonly number[], step: number): number[] =>
      starts.flatMap((start) => upTo(60).map((part) => start + part * step));
    await put(
      [
        ...readings('fortnight', secondsOf(hoursAtEdges, minute), 'H'),
        ...readings('fortnight', secondsOf(minutesAtEdges, 1), 'M'),
        ...readings(
          'fortnight',
          upTo(days * 24).map((each) => someSpan + each * hour),
          'D',
        ),
      ],
      99_999,
    );
    const range = { after: from - 1, before: to };
    const { result, ...cost } = await costOf((watched) => countScans(watched, 'fortnight', someEvent, range));
    const inHours = days * 24 - 4;
    expect(result).toBe(16 * 99_999 * (inHours + 2 * 58 + 2 * 59));
    // Two of them read the days of the edges, consistently, for their pending seconds.
    expect(cost.queries).toBe(11);
    expect(cost.mostPerPartition).toBeLessThanOrEqual(12);
  });
});

describe('cost of reading sales counters with every shard in use', () => {
  const much: OrderCounts = new Map(
    prices.map((price) => [
      price,
      { tickets: 1, orders: 1, netMinor: 1, grossMinor: 1, cancelled: 1, complimentary: 0 },
    ]),
  );
  const sold = (orgId: string, seconds: readonly number[], size: 'S' | 'D' | 'H' | 'M'): CounterItem[] =>
    seconds
      .flatMap((placedUnix) =>
        upTo(salesShards.count).flatMap((shard) =>
          salesCounters(orgId, { eventId: someEvent, placedUnix }, { counts: much, statuses: { confirmed: 1 } }, shard),
        ),
      )
      .filter(({ key }) => key.pk.includes(`#S${size}`));

  it('sales counters of half a year cost one Query', async () => {
    await put(
      sold(
        'whole',
        upTo(6).map((index) => someSpan + index * span),
        'S',
      ),
      9_999_999,
    );
    const { result, queries, mostPerPartition } = await costOf((watched) => readSales(watched, 'whole', someEvent));
    expect(result.get(8)?.tickets).toBe(6 * 4 * 9_999_999);
    expect(queries).toBe(1);
    expect(mostPerPartition).toBeLessThanOrEqual(3);
  });

  it('sales counters in the range with the most buckets cost 13 Queries and less than ten units per partition', async () => {
    const edge = (size: number, count: number, before: number): number[] => [
      ...upTo(count).map((index) => someSpan - before - (index + 1) * size),
      ...upTo(count).map((index) => someSpan + span + before + index * size),
    ];
    const [days, hours, minutes] = [31, 23, 59];
    await put(
      [
        ...sold('range', [someSpan], 'S'),
        ...sold('range', edge(day, days, 0), 'D'),
        ...sold('range', edge(hour, hours, days * day), 'H'),
        ...sold('range', edge(minute, minutes, days * day + hours * hour), 'M'),
      ],
      9_999_999,
    );
    const reach = days * day + hours * hour + minutes * minute;
    const range = { after: someSpan - reach - 1, before: someSpan + span + reach };
    const { result, queries, mostPerPartition } = await costOf((watched) =>
      readSales(watched, 'range', someEvent, range),
    );
    expect(result.get(8)?.tickets).toBe((1 + 2 * (days + hours + minutes)) * 4 * 9_999_999);
    expect(queries).toBe(13);
    expect(mostPerPartition).toBeLessThanOrEqual(10);
  });
});
