import { type OrderRecord, orderSortKey } from '../../domain/orders/order.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { RangeReader } from '../lists/range-reader.ts';
import { Contended } from '../table/failures.ts';
import { eventKey, eventsPartition, ordersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { OrderPosition } from './positions.ts';
import { parseOrder } from './row.ts';

interface WantedOrders {
  readonly orgId: string;
  readonly range: TimeRange;
  readonly matches: (order: OrderRecord) => boolean;
  readonly offset: number;
  readonly limit: number;
}

const concurrency = 10;
const rowsPerQuery = 1_000;
/** A page behind more orders, or one that matches too few of them, waits until the position tree can be read. */
const maxRows = 10_000;

/**
 * Finds a page of the orders of all events in the orders of each event, the newest first. It needs no position tree, and costs as
 * much as all orders before the page. A distant page is refused: its client tries again.
 */
export async function listOrdersByEvent(
  table: Table,
  wanted: WantedOrders,
): Promise<{ readonly rows: readonly OrderPosition[]; readonly hasMore: boolean }> {
  const { orgId, offset, limit } = wanted;
  const end = offset + limit;
  if (end > maxRows) throw changesTooOften();
  const eventIds = await readEventIds(table, orgId);
  let newest: readonly OrderPosition[] = [];
  for (let start = 0; start < eventIds.length; start += concurrency) {
    const some = eventIds.slice(start, start + concurrency);
    const found = await Promise.all(some.map((eventId) => newestOf(table, eventId, wanted)));
    newest = [...newest, ...found.flat()].sort(newestFirst).slice(0, end + 1);
  }
  return { rows: newest.slice(offset, end), hasMore: newest.length > end };
}

const newestFirst = (one: OrderPosition, other: OrderPosition): number => (one.sortKey < other.sortKey ? 1 : -1);

async function readEventIds(table: Table, orgId: string): Promise<readonly number[]> {
  const { sk } = eventKey(orgId, 0);
  const prefix = sk.slice(0, sk.indexOf('#') + 1);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': eventsPartition(orgId), ':prefix': prefix },
    ProjectionExpression: 'sk',
    ConsistentRead: true,
  });
  return items.map((item) => Number(String(item.sk).slice(prefix.length)));
}

async function newestOf(
  table: Table,
  eventId: number,
  { orgId, range, matches, offset, limit }: WantedOrders,
): Promise<readonly OrderPosition[]> {
  const { from, to } = secondsOf(range);
  const bounds = { from: recordedSecondText(from), to: recordedSecondText(to) };
  const reader = new RangeReader(
    table,
    { ...bounds, partition: ordersPartition(orgId, eventId), parse: parseOrder, consistent: true },
    { descending: true },
  );
  const found: OrderPosition[] = [];
  for (let read = 0; !reader.hasEnded && found.length <= offset + limit; read += rowsPerQuery) {
    if (read > maxRows) throw changesTooOften();
    const orders = (await reader.read(rowsPerQuery)).filter(matches);
    found.push(...orders.map((order) => ({ sortKey: orderSortKey(order), eventId, status: order.status })));
  }
  return found;
}

export const changesTooOften = (): Contended => new Contended('The orders change too often to be listed.');
