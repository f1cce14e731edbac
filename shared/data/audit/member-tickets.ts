import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { addTo, type Finding, nameRow } from '../../domain/audit/finding.ts';
import {
  countedTickets,
  type MemberReservation,
  memberTicketsKey,
  remainingReservation,
} from '../../domain/baskets/member-limits.ts';
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
 * Compares the tickets that count against the limits of members with the orders of their owner. Baskets that are being checked
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
    for (const row of await ordersOf(table, event, owner)) subtract(difference, remainingOf(row));
    if (isDifferent(difference)) differing.push({ owner, difference });
  }
  const pending = differing.length === 0 ? [] : await pendingReservations(table, event);
  return {
    findings: differing.flatMap(({ owner, difference }) => {
      const left = new Map(difference);
      for (const reservation of pending.filter((one) => one.owner === owner)) subtract(left, reservation);
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

function ordersOf(table: Table, { orgId, eventId }: CountedEvent, owner: string) {
  return queryAll(table, {
    IndexName: 'by3',
    KeyConditionExpression: 'by3pk = :pk',
    ExpressionAttributeValues: { ':pk': memberOrdersPartition(orgId, eventId, owner) },
  });
}

function remainingOf(row: Readonly<Record<string, unknown>>): MemberReservation | undefined {
  const { reservation } = parseOrder(row);
  const sold = [...decodePriceCounts(soldTextOf(row))].map(([price, { tickets }]) => [price, tickets] as const);
  return reservation && remainingReservation(reservation, new Map(sold));
}

function subtract(counts: Map<string, number>, reservation: MemberReservation | undefined): void {
  for (const entry of reservation === undefined ? [] : countedTickets(reservation))
    addTo(counts, { [memberTicketsKey(entry)]: -entry.tickets });
}

const isDifferent = (counts: ReadonlyMap<string, number>): boolean => [...counts.values()].some((count) => count !== 0);

function problemOf(difference: ReadonlyMap<string, number>): string {
  const counts = [...difference].filter(([, count]) => count !== 0).sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = counts.map(([name, count]) => `${name} ${count > 0 ? '+' : ''}${count}`);
  return `It differs from the orders and the pending checkouts: ${texts.join(', ')}.`;
}

async function pendingReservations(table: Table, event: CountedEvent): Promise<readonly MemberReservation[]> {
  const reservations: MemberReservation[] = [];
  for await (const { status, reservation } of pendingBaskets(table, event)) {
    if (status === 'checking_out' && reservation !== null) reservations.push(reservation);
  }
  return reservations;
}

/** Finds orders with tickets that should count against limits, and whose owner has no count at all. */
export async function auditLimitedOrders(
  table: Table,
  event: CountedEvent,
  orders: readonly OrderWithTickets[],
): Promise<readonly Finding[]> {
  const { orgId, eventId } = event;
  const owners = [...new Set(orders.flatMap(({ order }) => order.reservation?.owner ?? []))];
  const keys = owners.map((owner) => memberTicketsItemKey(orgId, eventId, owner));
  const known = new Set((await batchGet(table, keys, { consistent: true })).map(({ sk }) => String(sk)));
  return owners
    .filter((owner) => !known.has(owner))
    .map((owner) => finding(event, owner, 'It does not exist, but orders have tickets that count.'));
}
