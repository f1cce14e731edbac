import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { noEventId } from '../../domain/orders/order.ts';
import { batchGet } from '../table/batch-get.ts';
import { customersPartition, eventKey, type ItemKey, parseEventPartition, userOrdersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { auditConsents } from './consents.ts';

const customersPerPage = 50;
const concurrency = 10;

export interface AuditedCustomers {
  readonly customers: number;
  readonly findings: readonly Finding[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * Finds orders whose event does not exist, and customers that contradict their consents. An audit that goes from event to event cannot
 * see them, so this one goes from customer to customer.
 */
export async function auditCustomers(table: Table, orgId: string, after: string): Promise<AuditedCustomers> {
  const { Items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': customersPartition(orgId), ':after': after },
      Limit: customersPerPage,
    }),
  );
  const orders: OrderOfEvent[] = [];
  for (let start = 0; start < Items.length; start += concurrency) {
    const some = Items.slice(start, start + concurrency);
    orders.push(...(await Promise.all(some.map(({ sk }) => ordersOf(table, orgId, Number(sk))))).flat());
  }
  const eventIds = [...new Set(orders.map(({ event }) => event))].filter((eventId) => eventId !== noEventId);
  const events = await batchGet(
    table,
    eventIds.map((eventId) => eventKey(orgId, eventId)),
    { consistent: true },
  );
  const known = new Set(events.map(({ sk }) => String(sk)));
  const orphans = orders.filter(({ event }) => event !== noEventId && !known.has(eventKey(orgId, event).sk));
  return {
    customers: Items.length,
    findings: [
      ...orphans.map((order) => ({
        check: 'order-events' as const,
        row: nameRow(order),
        problem: `Its event ${order.event} does not exist.`,
      })),
      ...(await auditConsents(
        table,
        orgId,
        Items.map((item) => ({ userId: Number(item.sk), item })),
      )),
    ],
    next: last === undefined ? undefined : String(last.sk),
  };
}

interface OrderOfEvent extends ItemKey {
  readonly event: number;
}

async function ordersOf(table: Table, orgId: string, userId: number): Promise<OrderOfEvent[]> {
  const items = await queryAll(table, {
    IndexName: 'by6',
    KeyConditionExpression: 'by6pk = :pk',
    ExpressionAttributeValues: { ':pk': userOrdersPartition(orgId, userId) },
  });
  return items.map((item) => {
    const key = v.parse(Key, item);
    return { ...key, event: parseEventPartition(key.pk).eventId };
  });
}

const Key = v.object({ pk: v.string(), sk: v.string() });
