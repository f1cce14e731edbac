import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { addTo, type Finding, nameRow } from '../../domain/audit/finding.ts';
import { type LimitCount, limitCounts, remainingReservations } from '../../domain/baskets/limit-counts.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { parseMemberTickets } from '../baskets/member-tickets.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { decodePriceCounts, soldTextOf } from '../orders/price-counts.ts';
import { parseOrder } from '../orders/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberOrdersPartition, memberTicketsItemKey, memberTicketsPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { pendingBaskets } from './pending-baskets.ts';

const ownersPerPage = 50;

interface AuditedOwners {
  readonly findings: readonly Finding[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * Compares the tickets that count against the limits of members and persons with the orders of their owner. Baskets that are being checked
 * out count too; they are read only if an owner has more tickets than the orders.
 */
export async function auditMemberTickets(table: Table, event: CountedEvent, after: string): Promise<AuditedOwners> {
  const { orgId, eventId } = event;
  const { Items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': memberTicketsPartition(orgId, eventId), ':after': after },
      ConsistentRead: true,
      Limit: ownersPerPage,
    }),
  );
  const differing: { readonly owner: string; readonly difference: ReadonlyMap<string, number> }[] = [];
  for (const item of Items) {
    const owner = String(item.sk);
    const difference = new Map(parseMemberTickets(item));
    for (const row of await ordersOf(table, event, owner)) subtract(difference, owner, remainingOf(row));
    if (isDifferent(difference)) differing.push({ owner, difference });
  }
  const pending = differing.length === 0 ? [] : await pendingCounts(table, event);
  return {
    findings: differing.flatMap(({ owner, difference }) => {
      const left = new Map(difference);
      subtract(left, owner, pending);
      return isDifferent(left) ? [finding(event, owner, problemOf(left))] : [];
    }),
    next: last === undefined ? undefined : String(last.sk),
  };
}

const finding = ({ orgId, eventId }: CountedEvent, owner: string, problem: string): Finding => ({
  check: 'member-tickets',
  row: nameRow(memberTicketsItemKey(orgId, eventId, owner)),
  problem,
});

/** Index by3 has the orders of its members, index by4 those of the person. An order can be in both. */
async function ordersOf(table: Table, { orgId, eventId }: CountedEvent, owner: string) {
  const partition = memberOrdersPartition(orgId, eventId, owner);
  const found = await Promise.all(
    (['by3', 'by4'] as const).map((index) =>
      queryAll(table, {
        IndexName: index,
        KeyConditionExpression: `${index}pk = :pk`,
        ExpressionAttributeValues: { ':pk': partition },
      }),
    ),
  );
  return new Map(found.flat().map((row) => [String(row.sk), row])).values();
}

function remainingOf(row: Readonly<Record<string, unknown>>): readonly LimitCount[] {
  const sold = [...decodePriceCounts(soldTextOf(row))].map(([price, { tickets }]) => [price, tickets] as const);
  return limitCounts(remainingReservations(parseOrder(row), new Map(sold)));
}

function subtract(counts: Map<string, number>, owner: string, taken: readonly LimitCount[]): void {
  for (const { name, tickets } of taken.filter((one) => one.owner === owner)) addTo(counts, { [name]: -tickets });
}

const isDifferent = (counts: ReadonlyMap<string, number>): boolean => [...counts.values()].some((count) => count !== 0);

function problemOf(difference: ReadonlyMap<string, number>): string {
  const counts = [...difference].filter(([, count]) => count !== 0).sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = counts.map(([name, count]) => `${name} ${count > 0 ? '+' : ''}${count}`);
  return `It differs from the orders and the pending checkouts: ${texts.join(', ')}.`;
}

async function pendingCounts(table: Table, event: CountedEvent): Promise<readonly LimitCount[]> {
  const counts: LimitCount[] = [];
  for await (const basket of pendingBaskets(table, event)) {
    if (basket.status === 'checking_out') counts.push(...limitCounts(basket));
  }
  return counts;
}

/** Finds orders with tickets that should count against limits, and whose owner has no count at all. */
export async function auditLimitedOrders(
  table: Table,
  event: CountedEvent,
  orders: readonly OrderWithTickets[],
): Promise<readonly Finding[]> {
  const { orgId, eventId } = event;
  const owners = [
    ...new Set(
      orders.flatMap(({ order: { reservation, personReservation } }) =>
        [reservation, personReservation].flatMap((one) => one?.owner ?? []),
      ),
    ),
  ];
  const keys = owners.map((owner) => memberTicketsItemKey(orgId, eventId, owner));
  const known = new Set((await batchGet(table, keys, { consistent: true })).map(({ sk }) => String(sk)));
  return owners
    .filter((owner) => !known.has(owner))
    .map((owner) => finding(event, owner, 'It does not exist, but orders have tickets that count.'));
}
