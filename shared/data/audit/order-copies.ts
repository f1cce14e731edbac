import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { orderTicketsItem, parseOrderTickets } from '../orders/order-tickets-row.ts';
import { personHash } from '../table/hash-key.ts';
import { type ItemKey, orderTicketsKey, orderTicketsPartition } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** Some orders of an event, in the order of their sort keys. */
export interface AuditedOrders {
  readonly sortKeys: readonly string[];
  /** Those whose tickets were all found. */
  readonly whole: readonly OrderWithTickets[];
  /** The items of their tickets, by sort key. */
  readonly stored: ReadonlyMap<string, Item>;
}

/** Reads the items of the tickets of orders, from after a sort key to that of the last order, or to the end. */
export async function readOrderCopies(
  table: Table,
  { orgId, eventId }: CountedEvent,
  { after, last }: { readonly after: string; readonly last: string | undefined },
): Promise<ReadonlyMap<string, Item>> {
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
  return new Map(items.map((item) => [String(item.sk), item]));
}

/** Compares orders with the items of their tickets, which lists and gates read. */
export async function auditOrderCopies(
  table: Table,
  { orgId, eventId }: CountedEvent,
  { sortKeys, whole, stored }: AuditedOrders,
): Promise<Finding[]> {
  const hash = await personHash(table);
  const known = new Set(sortKeys);
  const findings = (some: readonly string[], problem: string): Finding[] =>
    some.map((sortKey) => finding(orderTicketsKey(orgId, eventId, sortKey), problem));
  return [
    ...findings(
      sortKeys.filter((sortKey) => !stored.has(sortKey)),
      'The order has no item of its tickets.',
    ),
    ...findings(
      whole.filter((order) => isDifferent(orgId, order, { stored, hash })).map(({ order }) => orderSortKey(order)),
      'It differs from the order and its tickets.',
    ),
    ...findings(
      [...stored.keys()].filter((sortKey) => !known.has(sortKey)),
      'It belongs to no order.',
    ),
  ];
}

const finding = (key: ItemKey, problem: string): Finding => ({ check: 'order-copies', row: nameRow(key), problem });

function isDifferent(
  orgId: string,
  whole: OrderWithTickets,
  { stored, hash }: { readonly stored: ReadonlyMap<string, Item>; readonly hash: PersonHash },
): boolean {
  const item = stored.get(orderSortKey(whole.order));
  return item !== undefined && shownText(item) !== shownText(orderTicketsItem(orgId, whole, hash));
}

type Item = Readonly<Record<string, unknown>>;

/** What readers see of the item, and its places in the indexes. The order of tickets in it does not matter. */
function shownText(item: Item): string {
  const { tickets, memberships, ...shown } = parseOrderTickets(item);
  const sorted = tickets.toSorted((one, other) => one.ticketId - other.ticketId);
  const indexes = [item.by1pk, item.by1sk, item.by6pk, item.by6sk];
  return JSON.stringify([shown.orderId, shown.version, ...indexes, sorted, memberships]);
}
