import * as v from 'valibot';
import { nothingCounted, type OrderCounts } from '../../domain/orders/counts.ts';
import { recordedSecondText, type TimeSpan } from '../../domain/time/time-buckets.ts';
import { ordersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/**
 * The counts of an order by price, as one short text: `3:2:5000:5600` means two tickets of price 3 for 50.00, with fees 56.00. A fifth
 * number counts those that are complimentary.
 * The order's row contains it, so the edges of a time range are counted without reading tickets.
 */
export function encodePriceCounts(counts: OrderCounts): string {
  return [...counts]
    .filter(([, { tickets }]) => tickets > 0)
    .map(([price, { tickets, netMinor, grossMinor, complimentary }]) =>
      [price, tickets, netMinor, grossMinor, ...(complimentary > 0 ? [complimentary] : [])].join(':'),
    )
    .join(',');
}

export function decodePriceCounts(text: string): OrderCounts {
  return new Map(
    text
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [price = 0, tickets = 0, netMinor = 0, grossMinor = 0, complimentary = 0] = entry.split(':').map(Number);
        return [price, { ...nothingCounted, tickets, orders: 1, netMinor, grossMinor, complimentary }];
      }),
  );
}

const Row = v.object({ sold: v.string() });

/** The counts by price in the row of an order. */
export function soldTextOf(row: unknown): string {
  return v.parse(Row, row).sold;
}

/** Returns the counts of the orders that were placed in these seconds. */
export async function readPriceCounts(
  table: Table,
  orgId: string,
  eventId: number,
  { from, to }: Pick<TimeSpan, 'from' | 'to'>,
): Promise<OrderCounts[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': ordersPartition(orgId, eventId),
      ':from': recordedSecondText(from),
      ':to': recordedSecondText(to),
    },
    ProjectionExpression: 'sold',
  });
  return items.map((item) => decodePriceCounts(v.parse(Row, item).sold));
}
