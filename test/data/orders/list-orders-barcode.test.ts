import '../../support/streaming-runtime.ts';
import * as v from 'valibot';
import { beforeAll, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { anOrder, aTicket, someSpan } from '../../../tools/fixtures/orders.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

let table: Table;
beforeAll(async () => {
  await givenStackSecret();
  ({ table } = await createTestTable());
});

const found = (orgId: string, query: Record<string, unknown>) =>
  callHandler(listOrders, list, { query }, { table, orgId });
const Listed = v.object({ data: v.array(v.object({ tickets: v.array(v.object({ barcode: v.string() })) })) });
const nothing = { data: [], has_more: false };

it('list-orders finds the order of a barcode as a gate reads it, with the tickets and the event', async () => {
  const { orgId, event, placed } = await givenTickets(table);
  await writeOrder(table, orgId, anOrder({ eventId: event.eventId }));
  for (const { barcode } of placed.tickets) {
    for (const read of [barcode, barcode.toLowerCase(), ` ${barcode}\r\n`]) {
      expect(await found(orgId, { barcode: read })).toMatchObject({
        has_more: false,
        data: [{ order_id: placed.orderId, event_title: event.title, tickets: [{}, {}] }],
      });
    }
    expect(await found(orgId, { barcode: barcode.slice(0, -1) })).toMatchObject(nothing);
    expect(await found(orgId, { barcode, page_number: 2 })).toMatchObject(nothing);
    expect(await found('org_other', { barcode })).toMatchObject(nothing);
  }
});

it('list-orders combines the barcode with every other filter', async () => {
  const { orgId, placed, barcode } = await givenTickets(table, { order: { placedUnix: someSpan } });
  const matching = {
    user_id: placed.userId,
    email_address: 'ADA@example.com',
    order_status: 'confirmed',
    unix_start: someSpan - 1,
    unix_end: someSpan + 1,
  };
  expect(await found(orgId, { barcode, ...matching })).toMatchObject({ data: [{ order_id: placed.orderId }] });
  const others = {
    user_id: 99,
    email_address: 'eve@example.com',
    order_status: 'refunded',
    unix_start: someSpan,
    unix_end: someSpan,
  };
  for (const filter of Object.entries(others)) {
    const query = { barcode, ...matching, ...Object.fromEntries([filter]) };
    expect(await found(orgId, query), filter[0]).toMatchObject(nothing);
  }
});

it('list-orders finds a ticket that was given away by its new barcode only', async () => {
  const { orgId, placed, barcode, offer, accept } = await givenTickets(table);
  await accept(await offer('grace@example.com', 'ada'));
  expect(await found(orgId, { barcode })).toMatchObject(nothing);
  const [order] = v.parse(Listed, await found(orgId, {})).data;
  const barcodes = order?.tickets.map((ticket) => ticket.barcode) ?? [];
  expect(barcodes).toHaveLength(2);
  for (const one of barcodes) {
    expect(await found(orgId, { barcode: one })).toMatchObject({ data: [{ order_id: placed.orderId }] });
  }
});

it('list-orders finds nothing by the barcode of a member', async () => {
  const orgId = 'org_cards';
  await givenMembers(table, orgId, [aMember({ barcode: 'CARD1' })]);
  await writeOrder(table, orgId, anOrder({ tickets: [aTicket({ barcode: 'TICKET1' })] }));
  expect(await found(orgId, { barcode: 'card1' })).toMatchObject(nothing);
  expect(await found(orgId, { barcode: 'ticket1' })).toMatchObject({ data: [{}] });
});
