import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listTickets } from '../../../functions/api/sso/list-sso-order-tickets.ts';
import { handle as listOrders } from '../../../functions/api/sso/list-sso-orders.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import type { NewOrder } from '../../../shared/domain/orders/order.ts';
import { listSsoOrderTickets } from '../../../shared/operations/sso/list-sso-order-tickets.ts';
import { listSsoOrders } from '../../../shared/operations/sso/list-sso-orders.ts';
import { givenEvent, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket, someSpan } from '../../../tools/fixtures/orders.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { callHandler } from '../../support/call-handler.ts';
import { rowsOf } from '../../support/fields-of.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_club';
const login = new IdentityProvider('https://login.example.com');
const [ada, grace] = [7, 8];
let table: Table;
let match: EventRecord;
let cup: EventRecord;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await saveProvider(table, orgId, login.asProvider());
  for (const [subject, userId] of [
    ['ada', ada],
    ['grace', grace],
  ] as const) {
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
  }
  match = await givenEvent(table, orgId, { title: 'Match', startUnix: kickOffUnix });
  cup = await givenEvent(table, orgId, { title: 'Cup', startUnix: kickOffUnix + 86_400 });
});

async function givenOrder(changes: Partial<NewOrder>): Promise<NewOrder> {
  const placed = anOrder(changes);
  const { outcome } = await writeOrder(table, orgId, placed);
  if (outcome !== 'recorded') throw new Error(outcome);
  return placed;
}

const as = (subject: string) => ({ table, orgId, ssoToken: login.token(subject) });
const ordersOf = (subject: string, query = {}) => callHandler(listSsoOrders, listOrders, { query }, as(subject));
const ticketsOf = (subject: string, orderId: number, query = {}) =>
  callHandler(listSsoOrderTickets, listTickets, { params: { order_id: String(orderId) }, query }, as(subject));

describe('order_status=all', () => {
  it('adds cancelled and refunded orders and their tickets, not those that are pending or of others', async () => {
    const all = { order_status: 'all' };
    const fan = 91;
    await saveLink(table, orgId, { issuer: login.issuer, subject: 'all', userId: fan, linkedUnix: 1 });
    const given = { eventId: match.eventId, userId: fan };
    const kept = await givenOrder(given);
    const cancelled = await givenOrder(given);
    await changeTickets(table, { orgId, orderId: cancelled.orderId }, { tickets: 'all', to: 'cancelled' });
    const refunded = await givenOrder(given);
    await changeTickets(table, { orgId, orderId: refunded.orderId }, { tickets: 'all', to: 'refunded' });
    const pending = await givenOrder({ ...given, status: 'pending' });
    const listed = rowsOf((await ordersOf('all', all)).data);
    const idsOf = (orders: readonly NewOrder[]) => orders.map(({ orderId }) => String(orderId)).sort();
    expect(listed.map(({ order_id }) => order_id).sort()).toEqual(idsOf([kept, cancelled, refunded]));
    expect(rowsOf((await ordersOf('all')).data)).toMatchObject([{ order_id: String(kept.orderId), ticket_count: 1 }]);
    const statuses = async (orderId: number, query?: object) =>
      rowsOf((await ticketsOf('all', orderId, query)).data).map(({ ticket_status_id }) => ticket_status_id);
    expect(await statuses(cancelled.orderId, all)).toEqual([2]);
    expect(await statuses(refunded.orderId, all)).toEqual([3]);
    expect(await statuses(kept.orderId, all)).toEqual([1]);
    expect(await statuses(pending.orderId, all)).toEqual([]);
    expect(await statuses(refunded.orderId)).toEqual([]);
    expect((await ticketsOf('ada', refunded.orderId, all)).data).toEqual([]);
  });
});

describe('list-sso-orders', () => {
  it("list-sso-orders returns the fan's confirmed orders, by newest event and then newest order", async () => {
    const first = await givenOrder({ eventId: match.eventId, userId: ada, placedUnix: someSpan + 5 });
    const second = await givenOrder({ eventId: match.eventId, userId: ada, placedUnix: someSpan + 10 });
    const cupOrder = await givenOrder({ eventId: cup.eventId, userId: ada, placedUnix: someSpan + 1 });
    await givenOrder({ eventId: cup.eventId, userId: grace });
    for (const status of ['pending', 'cancelled', 'refunded'] as const) {
      await givenOrder({ eventId: match.eventId, userId: ada, status });
    }
    const refunded = await givenOrder({ eventId: match.eventId, userId: ada });
    await changeTickets(table, { orgId, orderId: refunded.orderId }, { tickets: 'all', to: 'refunded' });
    expect(await ordersOf('ada')).toEqual({
      object: 'sso_orders',
      data: [
        expect.objectContaining({
          order_id: String(cupOrder.orderId),
          order_date: '2026-09-08T00:00:01Z',
          total: 22.75,
          refunded: 0,
          currency: 'AUD',
          ticket_count: 1,
          event_id: String(cup.eventId),
          event_title: 'Cup',
          event_start: '2026-11-15T08:30:00Z',
          venue_name: cup.venueName,
        }),
        expect.objectContaining({ order_id: String(second.orderId), event_title: 'Match' }),
        expect.objectContaining({ order_id: String(first.orderId), event_title: 'Match' }),
      ],
    });
  });

  it('list-sso-orders shows what the order cost as total, and beside it what was refunded', async () => {
    const userId = 11;
    await saveLink(table, orgId, { issuer: login.issuer, subject: 'joan', userId, linkedUnix: 1 });
    const tickets = [aTicket({ barcode: 'J-1' }), aTicket({ barcode: 'J-2' })];
    const money = { transactionFeeMinor: 100, discountMinor: 700 };
    const { orderId } = await givenOrder({ eventId: match.eventId, userId, tickets, ...money });
    expect(await ordersOf('joan')).toMatchObject({ data: [{ total: 39.5, refunded: 0 }] });
    await changeTickets(table, { orgId, orderId }, { tickets: [orderId + 1], to: 'refunded' });
    expect(await ordersOf('joan')).toMatchObject({ data: [{ total: 39.5, refunded: 19.25, ticket_count: 1 }] });
  });

  it('list-sso-orders is empty for a fan who never bought anything', async () => {
    await saveLink(table, orgId, { issuer: login.issuer, subject: 'mary', userId: 9, linkedUnix: 1 });
    expect(await ordersOf('mary')).toEqual({ object: 'sso_orders', data: [] });
  });
});

describe('list-sso-order-tickets', () => {
  it('list-sso-order-tickets returns the tickets that still admit, with seat and price', async () => {
    const seat = { sectionLabel: 'E', subSectionTitle: 'Upper', seatAisle: '4', seatRow: 'H', seatTitle: '12' };
    const tickets = [
      aTicket({ barcode: 'A-1', ticketName: 'Ada L.', taxMinor: 182, ...seat }),
      aTicket({ barcode: 'A-2' }),
    ];
    const { orderId } = await givenOrder({ eventId: match.eventId, userId: ada, tickets, discountMinor: 500 });
    const shown = (await ticketsOf('ada', orderId)) as { data: { barcode: string; ticket_id: number }[] };
    expect(shown.data.map(({ barcode }) => barcode)).toEqual(['A-1', 'A-2']);
    expect(shown.data[0]).toEqual({
      ticket_id: orderId + 1,
      ticket_status_id: 1,
      barcode: 'A-1',
      barcode_from_unix: null,
      price: 20,
      fees: 2.75,
      discount: 2.5,
      tax: 1.82,
      price_title: 'Price 1',
      price_category_title: 'East stand',
      ticket_name: 'Ada L.',
      section_label: 'E',
      sub_section_title: 'Upper',
      seat_aisle: '4',
      seat_row: 'H',
      seat_title: '12',
    });
    await changeTickets(table, { orgId, orderId }, { tickets: [orderId + 1], to: 'cancelled' });
    expect(await ticketsOf('ada', orderId)).toMatchObject({ data: [{ barcode: 'A-2' }] });
    await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
    expect(await ticketsOf('ada', orderId)).toEqual({ object: 'sso_tickets', data: [] });
  });

  it('list-sso-order-tickets is empty for the order of another fan, an unconfirmed order and a missing order', async () => {
    const { orderId } = await givenOrder({ eventId: match.eventId, userId: ada });
    const pending = await givenOrder({ eventId: match.eventId, userId: ada, status: 'pending' });
    const unlinkedOrder = await givenOrder({ eventId: match.eventId, userId: null });
    const empty = { object: 'sso_tickets', data: [] };
    expect(await ticketsOf('grace', orderId)).toEqual(empty);
    for (const id of [pending.orderId, unlinkedOrder.orderId, orderId + 64, 1])
      expect(await ticketsOf('ada', id)).toEqual(empty);
  });
});

describe('SSO operations without a valid fan', () => {
  it('SSO operations refuse a missing token, an invalid token and an unlinked user', async () => {
    const listWithToken = (ssoToken: string | undefined) =>
      callHandler(listSsoOrders, listOrders, {}, { table, orgId, ssoToken });
    await expect(listWithToken(undefined)).rejects.toMatchObject({ code: 'sso_token_missing', status: 401 });
    await expect(listWithToken('a.b.c')).rejects.toMatchObject({ code: 'sso_token_invalid', status: 401 });
    await expect(listWithToken(login.token('unlinked'))).rejects.toMatchObject({
      code: 'sso_user_not_linked',
      status: 403,
    });
  });
});
