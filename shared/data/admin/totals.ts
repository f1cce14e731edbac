import type { EventStatus } from '../../domain/events/event.ts';
import { bucketSeconds, endOfTime } from '../../domain/time/time-buckets.ts';
import { orderRowsIn } from '../counters/order-rows.ts';
import { salesShards } from '../counters/sales-shards.ts';
import { countScans } from '../counters/scans.ts';
import { eventList } from '../events/positions.ts';
import { countKeys } from '../positions/read.ts';
import type { Table } from '../table/table.ts';
import { everyEvent } from './read-all.ts';

export function countCustomers(table: Table, orgId: string): Promise<number> {
  return countKeys(table, { orgId, resource: 'customers', list: 'added' });
}

const statuses = [0, 1, 2, 3] as const satisfies readonly EventStatus[];

/** How many events an organisation has, including deleted ones. */
export async function countEvents(table: Table, orgId: string): Promise<number> {
  const lists = statuses.map(eventList);
  return sum(await Promise.all(lists.map((list) => countKeys(table, { orgId, resource: 'events', list }))));
}

export function countAllOrders(table: Table, orgId: string): Promise<number> {
  const slots = Array.from({ length: bucketSeconds.span / bucketSeconds.day }, (_, slot) => slot);
  const inSlot = orderRowsIn(undefined);
  return sumOverEvents(table, orgId, async (eventId) => {
    const spans = { size: 'span', from: 0, to: endOfTime } as const;
    const buckets = await salesShards.read(table, { orgId, eventId }, spans, { consistent: false });
    return sum(buckets.flatMap((bucket) => slots.map((slot) => inSlot(bucket, slot))));
  });
}

export function countAllScans(table: Table, orgId: string): Promise<number> {
  return sumOverEvents(table, orgId, (eventId) => countScans(table, orgId, eventId));
}

const eventsAtOnce = 32;

async function sumOverEvents(
  table: Table,
  orgId: string,
  count: (eventId: number) => Promise<number>,
): Promise<number> {
  const eventIds: number[] = [];
  for await (const { eventId } of everyEvent(table, orgId)) eventIds.push(eventId);
  let total = 0;
  for (let start = 0; start < eventIds.length; start += eventsAtOnce) {
    total += sum(await Promise.all(eventIds.slice(start, start + eventsAtOnce).map(count)));
  }
  return total;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
