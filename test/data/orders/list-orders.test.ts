import '../../support/streaming-runtime.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { type AllOrdersListing, listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { orderPositions } from '../../../shared/data/orders/positions.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import {
  type OrderStatus,
  type OrderWithTickets,
  orderIdStep,
  orderRecords,
  orderSortKey,
} from '../../../shared/domain/orders/order.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket, sian, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { creationChange } from '../../../tools/fixtures/position-changes.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const statuses = ['pending', 'confirmed', 'cancelled', 'refunded'] as const;
const everything = { userId: undefined, emailAddress: undefined, status: undefined, range: {} } as const;

describe('list-orders', () => {
  it('list-orders returns the orders of all events with tickets and event, newest first', async () => {
    const orgId = 'org_fields';
    const [match, cup] = [
      await givenEvent(table, orgId, { title: 'Match' }),
      await givenEvent(table, orgId, { title: 'Cup' }),
    ];
    const older = anOrder({ ...sian, eventId: match.eventId, placedUnix: someSpan, tickets: [aTicket(), aTicket()] });
    const newer = anOrder({ eventId: cup.eventId, placedUnix: someSpan + 60 });
    for (const placed of [older, newer]) await writeOrder(table, orgId, placed);
    const call = (query: Record<string, unknown>) => callHandler(listOrders, list, { query }, { table, orgId });
    const answer = await call({});
    expect(answer).toMatchObject({
      object: 'orders',
      url: 'https://api.example.com/stage/v1/orders',
      has_more: false,
      org_id: orgId,
      data: [
        {
          order_id: newer.orderId,
          event_id: String(cup.eventId),
          event_title: 'Cup',
          tickets: [{ ticket_status_id: 1 }],
        },
        { order_id: older.orderId, event_title: 'Match', total: 46.5, refunded: 0, tickets: [{}, {}] },
      ],
    });
    expect(await call({ email_address: 'SIAN@example.com' })).toMatchObject({ data: [{ order_id: older.orderId }] });
    expect(await call({ user_id: 12, order_status: 'confirmed' })).toMatchObject({
      data: [{ order_id: older.orderId }],
    });
    expect(await call({ unix_start: someSpan })).toMatchObject({ data: [{ order_id: newer.orderId }] });
    expect(await call({ unix_end: someSpan })).toMatchObject({ data: [] });
    expect(await call({ user_id: 13 })).toMatchObject({ data: [], has_more: false });
  });

  const second = fc.integer({ min: 0, max: 40 });
  const filters = fc.record({
    userId: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined }),
    emailAddress: fc.option(fc.constantFrom('one@example.com', 'Two@example.com', 'nobody@example.com'), {
      nil: undefined,
    }),
    status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
    after: fc.option(second, { nil: undefined }),
    before: fc.option(second, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 30 }),
  });

  /** Writes orders of three events, refunds some, and applies only the first of their position changes. */
  async function givenModel(orgId: string): Promise<ReadonlyMap<number, OrderWithTickets>> {
    const model = new Map<number, OrderWithTickets>();
    const parts = {
      at: second,
      user: fc.option(fc.constantFrom(1, 2, 3)),
      mail: fc.option(fc.constantFrom('one', 'two')),
    };
    for (const [index, { at, user, mail }] of fc.sample(fc.record(parts), 90).entries()) {
      const placed = anOrder({
        orderId: idOf(someSpan + at, index * orderIdStep),
        eventId: someEvent + (index % 3) * 512,
        placedUnix: someSpan + at,
        userId: user,
        emailAddress: mail && `${mail}@example.com`,
        status: statuses[index % 5] ?? 'confirmed',
      });
      const written = await writeOrder(table, orgId, placed);
      if (written.outcome === 'recorded') model.set(placed.orderId, written.placed);
      if (index === 60) await applyPositionChanges(table, { orgId, resource: 'orders' });
    }
    for (const orderId of [...model.keys()].filter((_, index) => index % 7 === 1)) {
      const changed = await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
      if (changed.outcome === 'changed') model.set(orderId, changed.change.after);
    }
    return model;
  }

  it('list-orders pages are exactly the list, with every combination of filters, while the position trees lag or not', async () => {
    const orgId = 'org_model';
    const model = await givenModel(orgId);
    const newestFirst = [...model.values()].sort((one, other) =>
      orderSortKey(one.order) < orderSortKey(other.order) ? 1 : -1,
    );
    await fc.assert(
      fc.asyncProperty(filters, async ({ after, before, limit, ...rest }) => {
        const range = { after: after && someSpan + after, before: before && someSpan + before };
        const expected = newestFirst.filter(({ order }) => matches(order, { ...rest, range }));
        const seen: number[] = [];
        for (let page = 1; page <= Math.ceil(expected.length / limit) + 1; page += 1) {
          const { orders, hasMore } = await listAllOrders(table, { orgId, ...rest, range, page, limit });
          expect(hasMore).toBe(expected.length > page * limit);
          seen.push(...orders.map(({ order }) => order.orderId));
          for (const { order, tickets } of orders) {
            expect(tickets.map(({ status }) => status)).toEqual(
              model.get(order.orderId)?.tickets.map(({ status }) => status),
            );
          }
        }
        expect(seen).toEqual(expected.map(({ order }) => order.orderId));
      }),
      { numRuns: amount(12, 40) },
    );
  });

  function matches(
    order: OrderWithTickets['order'],
    { userId, emailAddress, status, range }: Omit<AllOrdersListing, 'orgId' | 'page' | 'limit'>,
  ): boolean {
    return (
      (userId === undefined || order.userId === userId) &&
      (emailAddress === undefined || order.emailAddress?.toLowerCase() === emailAddress.toLowerCase()) &&
      (status === undefined || order.status === status) &&
      (range.after === undefined || order.placedUnix > range.after) &&
      (range.before === undefined || order.placedUnix < range.before)
    );
  }

  it('list-orders reads again when an order changes between its position and its row', async () => {
    const orgId = 'org_race';
    const placed = anOrder();
    await writeOrder(table, orgId, placed);
    let isFirst = true;
    const client = Object.create(table.client, {
      send: {
        value: async (command: { readonly input: object }) => {
          const response = await table.client.send(command as never);
          if (isFirst && 'KeyConditionExpression' in command.input) {
            isFirst = false;
            await changeTickets(table, { orgId, orderId: placed.orderId }, { tickets: 'all', to: 'refunded' });
          }
          return response;
        },
      },
    });
    const page = { page: 1, limit: 10, orgId, ...everything, status: 'confirmed' as OrderStatus };
    expect(await listAllOrders({ ...table, client }, page)).toEqual({ orders: [], hasMore: false });
  });
});

describe('cost of list-orders', () => {
  const size = 2_000;
  const orgId = 'org_large';
  beforeAll(async () => {
    const ledger = new OrderLedger(orgId);
    for (let index = 0; index < size; index += 1) {
      const placedUnix = someSpan + index * 60;
      const status = index % 10 === 0 ? 'refunded' : 'confirmed';
      const userId = index % 400 === 0 ? 7 : 8;
      const emailAddress = index < 800 ? `fan${index}@example.com` : 'boxoffice@example.com';
      ledger.place(anOrder({ placedUnix, status, userId, emailAddress }));
    }
    await putItems(
      table,
      [...ledger.items()].filter(({ pk }) => /^(ORD|ORT|POS|POT)#/.test(pk)),
    );
  });

  async function cost(changes: Partial<AllOrdersListing>): Promise<number> {
    table.meter.reset();
    await listAllOrders(table, { orgId, ...everything, page: 1, limit: 20, ...changes });
    return table.meter.readUnits;
  }

  it('list-orders costs what it returns, and a jump 1.5 times the first page and 10 units', async () => {
    const first = await cost({});
    expect(first).toBeLessThanOrEqual(20 * 1.1 + 2.5);
    for (const page of [2, 50, 100]) expect(await cost({ page })).toBeLessThanOrEqual(1.5 * first + 10);
    expect(await cost({ userId: 7 })).toBeLessThanOrEqual(6);
    expect(await cost({ emailAddress: 'fan77@example.com' })).toBeLessThanOrEqual(2);
    const range = { after: someSpan + 60_000 };
    expect(await cost({ range, page: 40 })).toBeLessThanOrEqual(1.5 * first + 10);
  });

  it('list-orders of a status costs 15 units for each 1,000 orders before the page', async () => {
    const status = 'confirmed';
    const first = await cost({ status });
    expect((await cost({ status, page: 81 })) - first).toBeLessThanOrEqual(15 * 1.8);
  });

  it('list-orders of a customer or an email address costs 15 units for each 1,000 orders before the page', async () => {
    for (const owner of [{ userId: 8 }, { emailAddress: 'boxoffice@example.com' }]) {
      const first = await cost(owner);
      expect(first).toBeLessThanOrEqual(20 * 1.1 + 2.5);
      expect((await cost({ ...owner, page: 51 })) - first).toBeLessThanOrEqual(15);
    }
  });

  it('list-orders costs one unit more for each 20 orders that the position tree does not have yet', async () => {
    const first = await cost({});
    const waiting = Array.from(
      { length: 300 },
      (_, index) => orderRecords(anOrder({ placedUnix: someSpan - 300 + index })).order,
    );
    await putItems(
      table,
      waiting.flatMap((order) => creationChange(orgId, 'orders', order.orderId, orderPositions(order))),
    );
    expect((await cost({})) - first).toBeLessThanOrEqual(15);
  });
});
