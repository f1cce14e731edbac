import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listPrices } from '../../../functions/api/events/list-event-prices.ts';
import { handle as list } from '../../../functions/api/events/list-events.ts';
import { handle as retrieve } from '../../../functions/api/events/retrieve-event.ts';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { listEvents } from '../../../shared/operations/events/list-events.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
});

const nowMs = kickOffUnix * 1000;
const listWith = (query: Record<string, unknown> = {}) =>
  callHandler(listEvents, list, { query }, { table, orgId, nowMs });
const pricesOf = (event_id: string, caller = orgId) =>
  callHandler(listEventPrices, listPrices, { params: { event_id } }, { table, orgId: caller, nowMs });
const eventOf = (event_id: string, caller = orgId) =>
  callHandler(retrieveEvent, retrieve, { params: { event_id } }, { table, orgId: caller, nowMs });

describe('list-events and retrieve-event', () => {
  it('list-events and retrieve-event return every field of an event', async () => {
    const { eventId } = await givenEvent(table, orgId, {
      title: 'Harbour FC v Rovers',
      venueId: 'harbour-park',
      venueName: 'Harbour Park',
      urlString: 'harbour-fc-v-rovers',
      buyTicketsUrl: 'https://tickets.example.com/rovers',
      bannerImage: 'https://images.example.com/rovers.jpg',
      seatMapId: 42,
    });
    const resource = {
      event_id: String(eventId),
      title: 'Harbour FC v Rovers',
      org_id: orgId,
      organisation_name: `Name of ${orgId}`,
      venue_id: 'harbour-park',
      venue_name: 'Harbour Park',
      online_event: false,
      url_string: 'harbour-fc-v-rovers',
      buy_tickets_url: 'https://tickets.example.com/rovers',
      currency: 'AUD',
      currency_symbol: '$',
      public_event: true,
      reserved_seating: false,
      sold_out: false,
      formatted_full_event_start_date: 'Saturday 14 November 2026, 7:30 pm',
      formatted_event_start_date_day: 'Saturday',
      formatted_event_start_date_time: '7:30 pm',
      formatted_event_start_date_month: 'November',
      formatted_event_start_date_date: '14',
      formatted_event_start_date_year: '2026',
      utc_event_start_date: '2026-11-14T08:30:00Z',
      timezone: 'Australia/Melbourne',
      event_status_id: '1',
      banner_image: 'https://images.example.com/rovers.jpg',
      membership_seat_map_id: 42,
      code: expect.any(String),
      version: expect.any(Number),
      cancelled_unix: null,
      cancel_job_id: null,
      seat_map_id: null,
      seat_map_version: null,
      allow_single_seats: false,
      metadata: {},
    };
    expect(await eventOf(String(eventId))).toEqual(resource);
    expect(await listWith({ search: 'rovers' })).toEqual({
      object: 'events',
      url: 'https://api.example.com/stage/v1/events',
      has_more: false,
      org_id: orgId,
      data: [resource],
    });
  });

  it.each([
    ['GBP', '£'],
    ['EUR', '€'],
    ['NZD', '$'],
    ['CHF', 'CHF'],
  ])('retrieve-event writes %s as %s', async (currency, symbol) => {
    const { eventId } = await givenEvent(table, orgId, { currency });
    expect(await eventOf(String(eventId))).toMatchObject({ currency, currency_symbol: symbol });
  });

  it('list-events excludes deleted events unless a status is requested', async () => {
    for (const statusId of [0, 1, 2, 3] as const)
      await givenEvent(table, orgId, { title: `Fixture ${statusId}`, statusId });
    const statusesOf = async (query: Record<string, unknown>) => {
      const response = v.parse(
        v.looseObject({ data: v.array(v.looseObject({ event_status_id: v.string() })) }),
        await listWith({ search: 'fixture', ...query }),
      );
      return response.data.map(({ event_status_id }) => event_status_id).toSorted();
    };
    expect(await statusesOf({})).toEqual(['0', '1', '3']);
    expect(await statusesOf({ event_status_id: 'all' })).toEqual(['0', '1', '3']);
    for (const status of ['0', '1', '2', '3']) expect(await statusesOf({ event_status_id: status })).toEqual([status]);
  });

  it.each(['nonsense', '0', '01', '-1', '1e3', '9'.repeat(40), ''])(
    'retrieve-event of a missing event is a 404: "%s"',
    async (id) => {
      for (const retrieve of [eventOf, pricesOf])
        await expect(retrieve(id)).rejects.toMatchObject({ code: 'resource_not_found' });
    },
  );

  it('retrieve-event treats an event of another organisation as missing', async () => {
    const { eventId } = await givenEvent(table, orgId);
    for (const retrieve of [eventOf, pricesOf]) {
      const missing = await retrieve('512').catch((error: unknown) => error);
      expect(await retrieve(String(eventId), 'org_other').catch((error: unknown) => error)).toEqual(missing);
    }
  });
});

describe('list-event-prices', () => {
  it('list-event-prices returns every field, with sale times in local time on both sides of a clock change', async () => {
    const type = membershipType(orgId, 'full', { title: 'Full season' });
    await givenConfig(table, orgId, type);
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, title: 'East Stand' });
    const pool = await givenPool(table, orgId, { eventId, capacity: 80 });
    const { priceId } = await givenPrice(table, orgId, {
      eventId,
      categoryId,
      title: 'Family',
      priceMinor: 7_010,
      rebateMinor: 250,
      serviceFeeMinor: 195,
      serviceTaxMinor: 29,
      availableFromUnix: Date.UTC(2026, 8, 1) / 1000,
      availableUntilUnix: kickOffUnix,
      membershipTypeId: type.typeId,
      showBoxoffice: false,
      ticketsIncluded: 4,
      scanningFlag: 3,
      holderNames: 'required',
      namesUntilHours: 24,
      barcodeFromHours: 48,
      transferUntilHours: 3,
      selfCancel: { untilHours: 24, keepPercent: 10 },
      taxRate: 7.7,
      poolIndex: pool.index,
      capacity: 40,
    });
    await transact(table, [takeStock(table, orgId, pool, 50)]);
    expect(await pricesOf(String(eventId))).toEqual({
      data: [
        {
          price_id: priceId,
          price_category_id: categoryId,
          price_category_title: 'East Stand',
          title: 'Family',
          price: 70.1,
          rebate: 2.5,
          service_fee: 1.95,
          service_tax: 0.29,
          total_price: 69.84,
          tax_rate: 7.7,
          group_ticket: true,
          available_from_unix: Date.UTC(2026, 8, 1) / 1000,
          available_until_unix: kickOffUnix,
          local_available_from_unix: Date.UTC(2026, 8, 1, 10) / 1000,
          local_available_until_unix: kickOffUnix + 39_600,
          membership_type_id: type.typeId,
          membership_type_name: 'Full season',
          show_online: true,
          show_boxoffice: false,
          status: 'active',
          tickets_included: 4,
          pool_id: pool.eventId + 511,
          capacity: 40,
          available: 30,
          scanning_flag: 3,
          holder_names: 'required',
          names_until_hours: 24,
          barcode_from_hours: 48,
          transfer: 'none',
          transfer_until_hours: 3,
          self_cancel: { until_hours: 24, keep_percent: 10 },
          max_per_order: null,
          max_per_member: null,
          phase_id: null,
          next_phase_from_unix: null,
          order_by: expect.any(Number),
          code: expect.any(String),
          version: 1,
          metadata: {},
        },
      ],
    });
  });

  it('list-event-prices reports sold out when the last ticket is taken, and a group ticket when too few are left', async () => {
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const single = await givenPrice(table, orgId, { eventId, categoryId, capacity: 5 });
    const group = await givenPrice(table, orgId, { eventId, categoryId, capacity: 5, ticketsIncluded: 4 });
    await givenPrice(table, orgId, { eventId, categoryId, capacity: 0, status: 'inactive' });
    const statuses = async () => {
      const response = v.parse(
        v.looseObject({ data: v.array(v.looseObject({ status: v.string() })) }),
        await pricesOf(String(eventId)),
      );
      return response.data.map(({ status }) => status);
    };
    expect(await statuses()).toEqual(['active', 'active', 'inactive']);
    await transact(table, [takeStock(table, orgId, single, 5), takeStock(table, orgId, group, 4)]);
    expect(await statuses()).toEqual(['sold_out', 'sold_out', 'inactive']);
  });

  it('list-event-prices costs the same whatever the number of other events: the event with its prices, and its stock', async () => {
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    for (let count = 0; count < 6; count += 1) await givenPrice(table, orgId, { eventId, categoryId });
    table.meter.reset();
    await pricesOf(String(eventId));
    expect(table.meter).toMatchObject({ readUnits: 1.5, calls: 2 });
  });
});
