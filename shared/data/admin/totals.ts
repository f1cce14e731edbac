import type { EventStatus } from '../../domain/events/event.ts';
import { bucketSeconds, endOfTime } from '../../domain/time/time-buckets.ts';
import { orderRowsIn } from '../counters/order-rows.ts';
import { salesShards } from '../counters/sales.ts';
import { countScans } from '../counters/scans.ts';
import { eventList } from '../events/positions.ts';
import { differenceOf } from '../positions/list-positions.ts';
import { readAllChanges } from '../positions/read-changes.ts';
import { readNode, type Trees } from '../positions/stored.ts';
import { countOf } from '../positions/tree.ts';
import { rootId } from '../positions/tree-editor.ts';
import type { Table } from '../table/table.ts';
import { everyEvent } from './read-all.ts';

/** About how many customers an organisation has. Exact while nothing changes. */
export async function countCustomers(table: Table, orgId: string): Promise<number> {
  return countPositions(table, { orgId, resource: 'customers' }, ['added']);
}

const statuses = [0, 1, 2, 3] as const satisfies readonly EventStatus[];

/** About how many events an organisation has, including deleted ones. */
export async function countEvents(table: Table, orgId: string): Promise<number> {
  return countPositions(table, { orgId, resource: 'events' }, statuses.map(eventList));
}

async function countPositions(table: Table, trees: Trees, lists: readonly string[]): Promise<number> {
  const { pending } = await readAllChanges(table, trees);
  const counts = lists.map(async (list) => {
    const root = await readNode(table, trees, { list, id: rootId });
    const { added, removed } = differenceOf(pending, list);
    return (root === undefined ? 0 : countOf(root.node)) + added.length - removed.length;
  });
  return sum(await Promise.all(counts));
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
