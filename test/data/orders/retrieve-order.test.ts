import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { anOrder, sian } from '../../../tools/fixtures/orders.ts';
import { callHandler } from '../../support/call-handler.ts';
import { type EventWithPrices, givenEventWithPrices } from '../../support/event-with-prices.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_club';
let table: Table;
let sold: EventWithPrices;

beforeAll(async () => {
  ({ table } = await createTestTable());
  sold = await givenEventWithPrices(table, orgId);
});

const orderOf = (order_id: number | string, organisation = orgId) =>
  callHandler(retrieveOrder, retrieve, { params: { order_id: String(order_id) } }, { table, orgId: organisation });

async function givenOrder() {
  const { eventId } = sold.event;
  const [adult, child, west] = sold.prices;
  const seat = { sectionLabel: 'W', subSectionTitle: 'Upper', seatAisle: '4', seatRow: 'H', seatTitle: '17' };
  const tickets = [
    sold.ticket(adult, { ticketName: 'Siân' }),
    sold.ticket(adult),
    sold.ticket(child),
    sold.ticket(west, seat),
  ];
  const placed = anOrder({ ...sian, eventId, tickets });
  await writeOrder(table, orgId, placed);
  return placed;
}

describe('retrieve-order', () => {
  it('retrieve-order returns the order with its event, its amounts and what every ticket is for, by id and by UUID', async () => {
    const placed = await givenOrder();
    const { orderId, orderUuid, tickets } = placed;
    const [first, , , fourth] = tickets;
    const noSeat = { section_label: null, sub_section_title: null, seat_aisle: null, seat_row: null, seat_title: null };
    const answer = await orderOf(orderId);
    expect(answer).toMatchObject({
      order_id: orderId,
      order_uuid: orderUuid,
      order_status: 'confirmed',
      first_name: 'Siân',
      event_id: String(sold.event.eventId),
      event_title: sold.event.title,
      currency: 'AUD',
      total: expect.any(Number),
      refunded: 0,
      tickets: [
        {
          ticket_id: orderId + 1,
          ticket_status_id: 1,
          barcode: first?.barcode,
          price_id: first?.priceId,
          price_title: first?.priceTitle,
          price_category_id: first?.categoryId,
          price_category_title: first?.categoryTitle,
          ticket_name: 'Siân',
          price: expect.any(Number),
          fees: expect.any(Number),
          ...noSeat,
        },
        { ticket_id: orderId + 2, ticket_name: null },
        { ticket_id: orderId + 3 },
        {
          ticket_id: orderId + 4,
          price_category_title: fourth?.categoryTitle,
          section_label: 'W',
          sub_section_title: 'Upper',
          seat_aisle: '4',
          seat_row: 'H',
          seat_title: '17',
        },
      ],
    });
    expect(await orderOf(orderUuid)).toEqual(answer);
    expect(await orderOf(orderUuid.toUpperCase())).toEqual(answer);
  });

  it('retrieve-order shows a refund of one ticket at once', async () => {
    const { orderId } = await givenOrder();
    await changeTickets(table, { orgId, orderId }, { tickets: [orderId + 2], to: 'refunded' });
    const answer = await orderOf(orderId);
    expect(answer).toMatchObject({
      order_status: 'confirmed',
      tickets: [{ ticket_status_id: 1 }, { ticket_status_id: 3 }, { ticket_status_id: 1 }, { ticket_status_id: 1 }],
    });
    expect(fieldsOf(answer).refunded).toBeGreaterThan(0);
  });

  it('retrieve-order costs 3.5 read units for an order of four tickets', async () => {
    const { orderId, orderUuid } = await givenOrder();
    for (const id of [orderId, orderUuid]) {
      table.meter.reset();
      await orderOf(id);
      expect(table.meter.readUnits).toBeLessThanOrEqual(3.5);
    }
  });

  it('retrieve-order does not find the order of another organisation, a missing one, or a ticket', async () => {
    const { orderId, orderUuid } = await givenOrder();
    const missing = { code: 'resource_not_found', status: 404 };
    for (const id of [orderId, orderUuid]) await expect(orderOf(id, 'org_other')).rejects.toMatchObject(missing);
    for (const id of [orderId + 1, orderId + 64, 'x', '00000000-0000-4000-8000-000000000000', '0']) {
      await expect(orderOf(id)).rejects.toMatchObject(missing);
    }
  });
});
