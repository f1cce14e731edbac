import { beforeAll, describe, expect, it } from 'vitest';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { anOrder, aScan, sian } from '../../../tools/fixtures/orders.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { type EventWithPrices, givenEventWithPrices } from '../../support/event-with-prices.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;
let sold: EventWithPrices;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  sold = await givenEventWithPrices(table, orgId);
});

const operations = eventOperations(() => table, orgId);

describe('orders, scans and figures of an event', () => {
  const placedUnix = kickOffUnix - 86_400;

  /**
   * Siân buys two adult tickets and a child ticket, another buyer one seat in the west. The child ticket is refunded,
   * one adult attends.
   */
  async function aSeason() {
    const { eventId } = sold.event;
    const [adult, child, west] = sold.prices;
    const first = anOrder({
      ...sian,
      eventId,
      placedUnix,
      metadata: { crm: 'A-1' },
      externalReference: 'cart-1',
      tickets: [
        sold.ticket(adult, { faceMinor: 1_010, ticketName: 'Siân' }),
        sold.ticket(adult, { faceMinor: 1_020 }),
        sold.ticket(child, { faceMinor: 710 }),
      ],
    });
    const second = anOrder({ eventId, placedUnix: placedUnix + 60, tickets: [sold.ticket(west)] });
    for (const placed of [first, second]) await writeOrder(table, orgId, placed);
    const { orderId } = first;
    await changeTickets(table, { orgId, orderId }, { tickets: [orderId + 3], to: 'refunded' });
    const [ada, , theirs] = first.tickets.map(({ barcode }) => barcode);
    const scan = (barcode: string, minute: number) =>
      recordScan(table, {
        orgId,
        nonce: null,
        scan: aScan(barcode, { eventId, scannedUnix: kickOffUnix + minute * 60, gateId: minute }),
      });
    await scan(ada ?? '', 1);
    await scan(ada ?? '', 2);
    await scan(theirs ?? '', 3);
    await scan('unknown', 4);
    return { first, second, ada };
  }

  let season: Awaited<ReturnType<typeof aSeason>>;
  beforeAll(async () => {
    season = await aSeason();
  });

  it('list-event-orders returns every field of the orders, oldest first', async () => {
    const { eventId } = sold.event;
    const { first, second } = season;
    const whole = {
      order_id: first.orderId,
      order_uuid: first.orderUuid,
      order_status: 'confirmed',
      order_date: placedUnix,
      updated_at: placedUnix,
      currency: 'AUD',
      total: 21.65,
      refunded: 4.77,
      customer: { user_id: 12, email: 'sian@example.com', first_name: 'Siân', last_name: "O'Brien" },
      user_id: 12,
      first_name: 'Siân',
      last_name: "O'Brien",
      email_address: 'sian@example.com',
      postcode: '3000',
      country_id: 36,
      marketing_opt_in: true,
      transaction_fee: 1.5,
      discount_amount: 0.5,
      payment_method: 'card',
      metadata: { crm: 'A-1' },
      external_reference: 'cart-1',
    };
    expect(await operations.orders(eventId)).toEqual({
      object: 'orders',
      url: `https://api.example.com/stage/v1/events/${eventId}/orders`,
      has_more: false,
      event_id: String(eventId),
      data: [
        whole,
        {
          ...whole,
          order_id: second.orderId,
          order_uuid: second.orderUuid,
          order_date: placedUnix + 60,
          updated_at: placedUnix + 60,
          total: 22.75,
          refunded: 0,
          customer: { user_id: null, email: null, first_name: null, last_name: null },
          user_id: null,
          first_name: null,
          last_name: null,
          email_address: null,
          postcode: null,
          country_id: null,
          marketing_opt_in: false,
          transaction_fee: 0,
          discount_amount: 0,
          payment_method: null,
          metadata: {},
          external_reference: null,
        },
      ],
    });
    // The bounds are exclusive.
    expect(await operations.orders(eventId, { unix_start: placedUnix })).toMatchObject({
      data: [{ order_date: placedUnix + 60 }],
    });
    expect(await operations.orders(eventId, { unix_end: placedUnix + 60 })).toMatchObject({
      data: [{ order_date: placedUnix }],
    });
    expect(await operations.orders(eventId, { unix_start: placedUnix, unix_end: placedUnix + 1 })).toMatchObject({
      data: [],
    });
  });

  it('list-event-scans returns the scans with their ticket holders, in local time, and the total number of matches', async () => {
    const { eventId } = sold.event;
    const { first, ada } = season;
    const whole = {
      gate_id: 1,
      scan_date: '2026-11-14',
      scan_time: '19:31:00',
      gate: 'Gate 4',
      result: 'ok',
      ticket_name: 'Siân',
      order_id: first.orderId,
      ticket_id: first.orderId + 1,
      barcode: ada,
      price_category_id: sold.prices[0].categoryId,
      price_category_status: 'active',
      membership_category_id: null,
      category_title: 'East stand',
      price_title: 'Adult',
      email_address: 'sian@example.com',
      section_label: null,
      seat_row: null,
      seat_title: null,
      unix_local_timestamp: kickOffUnix + 60 + 11 * 3_600,
      scanned_at: kickOffUnix + 60,
    };
    expect(await operations.scans(eventId, { limit: 1 })).toEqual({
      event_id: String(eventId),
      total: 4,
      has_more: true,
      data: [whole],
    });
    const { total, has_more, data } = await operations.scans(eventId, {
      unix_start: kickOffUnix + 60,
      include_sales: true,
    });
    expect({ total, has_more }).toEqual({ total: 3, has_more: false });
    const never = { total: 0, has_more: false, data: [] };
    expect(await operations.scans(eventId, { unix_start: 9_999_999_999 })).toMatchObject(never);
    expect(data).toMatchObject([
      {
        ...whole,
        gate_id: 2,
        scan_time: '19:32:00',
        unix_local_timestamp: expect.any(Number),
        scanned_at: expect.any(Number),
        result: 'already_scanned',
        tickets_sold: 2,
      },
      { result: 'refunded', price_title: 'Child', tickets_sold: 2 },
      { result: 'invalid', ticket_id: null, price_category_status: null, tickets_sold: null },
    ]);
  });

  it('event-stats-by-price and event-stats-by-price-category count tickets, with refunded ones only on request', async () => {
    const { eventId } = sold.event;
    const [adult, child, west] = sold.prices;
    const row = (price: typeof adult, category_title: string, sold_: number, attended: number) => ({
      price_id: price.priceId,
      price_title: price.title,
      price_category_id: price.categoryId,
      category_title,
      sold: sold_,
      complimentary: 0,
      attended,
    });
    expect(await operations.prices(eventId)).toEqual({
      event_id: String(eventId),
      data: [row(adult, 'East stand', 2, 1), row(child, 'East stand', 0, 0), row(west, 'West stand', 1, 0)],
    });
    expect(await operations.prices(eventId, { include_cancelled: true })).toMatchObject({
      data: [{ sold: 2 }, { sold: 1 }, { sold: 1 }],
    });
    const nothingGiven = { complimentary: 0 };
    const categories = (sold_: number) => ({
      event_id: String(eventId),
      data: [
        {
          ...nothingGiven,
          price_category_id: adult.categoryId,
          category_title: 'East stand',
          sold: sold_,
          attended: 1,
        },
        { ...nothingGiven, price_category_id: west.categoryId, category_title: 'West stand', sold: 1, attended: 0 },
      ],
    });
    expect(await operations.categories(eventId)).toEqual(categories(2));
    expect(await operations.categories(eventId, { include_cancelled: true })).toEqual(categories(3));
  });

  it('figures of an event cost one Query each: the event with its prices, the sales, the attendance or the scans', async () => {
    const { eventId } = sold.event;
    const costOf = async (callOperation: () => Promise<unknown>) => {
      table.meter.reset();
      await callOperation();
      return { calls: table.meter.calls, readUnits: table.meter.readUnits };
    };
    const stats = { calls: 3, readUnits: 2.5 };
    expect(await costOf(() => operations.prices(eventId))).toEqual(stats);
    expect(await costOf(() => operations.categories(eventId))).toEqual(stats);
    expect(await costOf(() => operations.summary(eventId))).toEqual({ calls: 2, readUnits: 1.5 });
    expect(await costOf(() => operations.scans(eventId))).toEqual({ calls: 3, readUnits: 1.5 });
  });

  it('event-sales-summary sums up by price, exact to the cent, in total and by time of order', async () => {
    const { eventId } = sold.event;
    const row = (ticket_price_category: string, ticket_price: string, numbers: readonly number[]) => {
      const [tickets, orders, net_sales, gross_sales] = numbers;
      return { ticket_price_category, ticket_price, tickets, orders, net_sales, gross_sales, complimentary: 0 };
    };
    const nothing = [0, 0, 0, 0];
    // 10.10 + 10.20, less 5.00 twice and 0.42 of the order's discount, and fees of 2.75 twice.
    const adults = row('East stand', 'Adult', [2, 1, 9.88, 15.38]);
    const west = row('West stand', 'Adult', [1, 1, 20, 22.75]);
    const child = row('East stand', 'Child', nothing);
    expect(await operations.summary(eventId)).toEqual({ has_more: false, data: [adults, child, west] });
    expect(await operations.summary(eventId, { unix_end: placedUnix + 60 })).toEqual({
      has_more: false,
      data: [adults, child, row('West stand', 'Adult', nothing)],
    });
    expect(await operations.summary(eventId, { unix_start: placedUnix })).toMatchObject({
      data: [{ tickets: 0 }, { tickets: 0 }, west],
    });
    expect(await operations.summary(eventId, { unix_start: placedUnix + 5, unix_end: placedUnix })).toMatchObject({
      data: [{ tickets: 0 }, { tickets: 0 }, { tickets: 0 }],
    });
  });
});
