import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { orderFilterItem, parseOrderFilterRow } from '../orders/filter-row.ts';
import { orderTicketsItem, parseOrderTickets } from '../orders/tickets-row.ts';
import { batchGet } from '../table/batch-get.ts';
import {
  type ItemKey,
  orderFilterKey,
  orderFiltersPartition,
  orderKey,
  orderTicketsKey,
  orderTicketsPartition,
} from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** Some orders of an event, in the order of their sort keys. */
export interface AuditedOrders {
  readonly after: string;
  /** The sort key of the last order; undefined if no further order follows. */
  readonly last: string | undefined;
  readonly sortKeys: readonly string[];
  /** Those whose tickets were all found. */
  readonly whole: readonly OrderWithTickets[];
}

/**
 * Compares orders with the rows that are derived from them: the item of their tickets, which lists and gates read, and the
 * filter row, which the list of all orders reads.
 */
export async function auditOrderCopies(
  table: Table,
  { orgId, eventId }: CountedEvent,
  { after, last, sortKeys, whole }: AuditedOrders,
): Promise<Finding[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :to',
    ExpressionAttributeValues: {
      ':pk': orderTicketsPartition(orgId, eventId),
      ':after': `${after}\u0000`,
      // Sort keys are digits, which come before this character.
      ':to': last ?? '~',
    },
    ConsistentRead: true,
  });
  const filterKeys = sortKeys.map((sortKey) => orderFilterKey(orgId, sortKey));
  const filters = await batchGet(table, filterKeys, { consistent: true });
  const stored = { tickets: bySortKey(items), filters: bySortKey(filters) };
  const known = new Set(sortKeys);
  const orphans = [...stored.tickets.keys()].filter((sortKey) => !known.has(sortKey));
  return [
    ...sortKeys.flatMap((sortKey) => missingCopies({ orgId, eventId }, sortKey, stored)),
    ...whole.flatMap((order) => differingCopies(orgId, order, stored)),
    ...orphans.map((sortKey) => finding(orderTicketsKey(orgId, eventId, sortKey), 'It belongs to no order.')),
  ];
}

interface Copies {
  readonly tickets: ReadonlyMap<string, Item>;
  readonly filters: ReadonlyMap<string, Item>;
}

const finding = (key: ItemKey, problem: string): Finding => ({ check: 'order-copies', row: nameRow(key), problem });

function missingCopies({ orgId, eventId }: CountedEvent, sortKey: string, { tickets, filters }: Copies): Finding[] {
  return [
    ...(tickets.has(sortKey)
      ? []
      : [finding(orderTicketsKey(orgId, eventId, sortKey), 'The order has no item of its tickets.')]),
    ...(filters.has(sortKey) ? [] : [finding(orderFilterKey(orgId, sortKey), 'The order has no filter row.')]),
  ];
}

function differingCopies(orgId: string, whole: OrderWithTickets, stored: Copies): Finding[] {
  const { order } = whole;
  const sortKey = orderSortKey(order);
  const [tickets, filter, expected] = [
    stored.tickets.get(sortKey),
    stored.filters.get(sortKey),
    orderFilterItem(orgId, order),
  ];
  const hasOtherTickets = tickets !== undefined && shownText(tickets) !== shownText(orderTicketsItem(orgId, whole));
  const key = orderTicketsKey(orgId, order.eventId, sortKey);
  return [
    ...(hasOtherTickets ? [finding(key, 'It differs from the order and its tickets.')] : []),
    ...(filter === undefined || filter.f === expected.f
      ? []
      : [finding(expected, `It is ${String(filter.f)}, but the order is ${String(expected.f)}.`)]),
  ];
}

type Item = Readonly<Record<string, unknown>>;

const bySortKey = (items: readonly Item[]) => new Map(items.map((item) => [String(item.sk), item]));

/** What readers see of the item, and its places in the indexes. The order of tickets in it does not matter. */
function shownText(item: Item): string {
  const { tickets, ...shown } = parseOrderTickets(item);
  const sorted = tickets.toSorted((one, other) => one.ticketId - other.ticketId);
  return JSON.stringify([shown.orderId, shown.version, item.by1pk, item.by1sk, item.by6pk, item.by6sk, sorted]);
}

const filterRowsPerPage = 100;

interface AuditedFilterRows {
  readonly findings: readonly Finding[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

/** Finds filter rows without an order. */
export async function auditOrderFilters(table: Table, orgId: string, after: string): Promise<AuditedFilterRows> {
  const { Items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': orderFiltersPartition(orgId), ':after': after },
      ConsistentRead: true,
      Limit: filterRowsPerPage,
    }),
  );
  const rows = Items.map(parseOrderFilterRow);
  const keys = rows.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  const found = new Set((await batchGet(table, keys, { consistent: true })).map(({ pk, sk }) => `${pk} ${sk}`));
  return {
    findings: rows.flatMap(({ sortKey }, index) => {
      const key = keys[index];
      return key !== undefined && found.has(`${key.pk} ${key.sk}`)
        ? []
        : [finding(orderFilterKey(orgId, sortKey), 'It belongs to no order.')];
    }),
    next: last === undefined ? undefined : String(last.sk),
  };
}
