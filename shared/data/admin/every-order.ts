import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { readTickets } from '../orders/read.ts';
import { barcodesOf, parseOrder } from '../orders/row.ts';
import { ordersPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

const ordersAtOnce = 200;

/** Every order of an event with its tickets, oldest first. For tools, not for requests. */
export async function* everyOrder(table: Table, orgId: string, eventId: number): AsyncGenerator<OrderWithTickets> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': ordersPartition(orgId, eventId) },
    ConsistentRead: true,
    Limit: ordersAtOnce,
  });
  for await (const rows of pages) {
    const tickets = new Map<number, OrderWithTickets['tickets'][number][]>();
    for (const ticket of await readTickets(table, orgId, rows.flatMap(barcodesOf))) {
      tickets.set(ticket.orderId, [...(tickets.get(ticket.orderId) ?? []), ticket]);
    }
    yield* rows.map(parseOrder).map((order) => ({ order, tickets: tickets.get(order.orderId) ?? [] }));
  }
}
