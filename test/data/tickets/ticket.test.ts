import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as checkOut } from '../../../functions/api/baskets/check-out-basket.ts';
import { handle as retrieveABasket } from '../../../functions/api/baskets/retrieve-basket.ts';
import { handle as retrieve } from '../../../functions/api/tickets/retrieve-ticket.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { readTickets } from '../../../shared/data/orders/read.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { retrieveBasket } from '../../../shared/operations/baskets/retrieve-basket.ts';
import { retrieveTicket } from '../../../shared/operations/tickets/retrieve-ticket.ts';
import { farFutureUnix, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import { givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { expectRefused, givenTickets } from '../../support/tickets.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => vi.unstubAllEnvs());

describe('retrieve-ticket', () => {
  it('retrieve-ticket shows a ticket with its event and its rules to a key and to the fan who holds it', async () => {
    const { retrieve, placed, ticketId, event, price, barcode } = await givenTickets(table, {
      price: { namesUntilHours: 24 },
    });
    const shown = await retrieve();
    expect(shown).toEqual({
      ticket_id: ticketId,
      ticket_status_id: 1,
      barcode,
      price_id: price.priceId,
      price_title: 'Price 1',
      price_category_id: price.categoryId,
      price_category_title: 'East stand',
      ticket_name: 'Ada Lovelace',
      price: 20,
      fees: 2.75,
      discount: 0,
      tax: 0,
      section_label: null,
      sub_section_title: null,
      seat_aisle: null,
      seat_row: null,
      seat_title: null,
      order_id: placed.orderId,
      event_id: String(event.eventId),
      event_title: event.title,
      event_start: '2026-11-14T08:30:00Z',
      barcode_from_unix: null,
      names_until_unix: kickOffUnix - 86_400,
      transfer_until_unix: kickOffUnix,
      self_cancel_until_unix: null,
      link: expect.stringMatching(/^https:\/\/api\.example\.com\/stage\/v1\/tickets\/\d+\/page\?token=gl_ticket_\w+$/),
      updated_at: placed.placedUnix,
    });
    expect(await retrieve('ada')).toEqual(shown);
  });

  it('retrieve-ticket hides the tickets of other fans, and ids that are no tickets', async () => {
    const { retrieve: ofFan, placed, by } = await givenTickets(table);
    await expect(ofFan('grace')).rejects.toMatchObject({ code: 'resource_not_found' });
    for (const id of [placed.orderId, placed.orderId + 3, placed.orderId + 65, 1, 63, 'x', '-1', 9e15]) {
      const call = callHandler(retrieveTicket, retrieve, { params: { ticket_id: String(id) } }, by());
      await expect(call, String(id)).rejects.toMatchObject({ code: 'resource_not_found' });
    }
  });

  it('a page needs the token of a fan', async () => {
    const { by, ticketId } = await givenTickets(table);
    const params = { ticket_id: String(ticketId) };
    const call = callHandler(retrieveTicket, retrieve, { params }, { ...by(), kind: 'storefront' });
    await expect(call).rejects.toMatchObject({ code: 'sso_token_missing' });
  });
});

describe('update-ticket', () => {
  it('update-ticket changes the name for the order, the gate and the fan, and announces it once', async () => {
    const { rename, retrieve, orgId, ticketId, barcode, placed, event, clock } = await givenTickets(table);
    const renamed = await rename(' Grace ', 'Hopper', 'ada');
    expect(renamed).toMatchObject({ ticket_name: 'Grace Hopper', barcode, updated_at: clock.nowUnix });
    expect(await retrieve()).toEqual(renamed);
    expect(await readTickets(table, orgId, [barcode])).toMatchObject([{ ticketName: 'Grace Hopper' }]);
    await rename('Grace', 'Hopper');
    expect(await announcedOf(table, orgId)).toMatchObject([
      {
        type: 'ticket.updated',
        data: {
          event_id: String(event.eventId),
          order_id: placed.orderId,
          ticket: { ticket_id: ticketId, ticket_name: 'Grace Hopper', barcode },
          changed: ['ticket_name'],
          previous: { ticket_name: 'Ada Lovelace' },
        },
      },
    ]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('update-ticket is closed for a fan from names_until_hours before the start on, for an API key from the first scan on', async () => {
    const given = await givenTickets(table, { price: { namesUntilHours: 24 } });
    const { rename, retrieve, clock, orgId } = given;
    clock.nowUnix = kickOffUnix - 86_401;
    await rename('Grace', 'Hopper');
    clock.nowUnix += 1;
    await expect(rename('Joan', 'Clarke', 'ada')).rejects.toMatchObject({
      code: 'names_closed',
      message: expect.stringContaining('24 hours before'),
    });
    expect(await retrieve()).toMatchObject({ ticket_name: 'Grace Hopper' });
    clock.nowUnix = kickOffUnix + 60;
    await rename('Joan', 'Clarke');
    const { eventId, tickets } = given.placed;
    const scan = aScan(tickets[0]?.barcode ?? '', { eventId });
    await recordScan(table, { orgId, scan, nonce: null });
    await expect(rename('Ada', 'King')).rejects.toMatchObject({ code: 'ticket_scanned' });
    expect(await retrieve()).toMatchObject({ ticket_name: 'Joan Clarke' });
  });

  it('update-ticket refuses a ticket that is not valid, one without names, and one of another fan', async () => {
    const given = await givenTickets(table);
    await changeTickets(
      table,
      { orgId: given.orgId, orderId: given.placed.orderId },
      { tickets: [given.ticketId], to: 'refunded' },
    );
    await expect(given.rename('Grace', 'Hopper')).rejects.toMatchObject({ code: 'ticket_not_active' });
    const nameless = await givenTickets(table, { price: { holderNames: 'none' } });
    await expect(nameless.rename('Grace', 'Hopper')).rejects.toMatchObject({
      code: 'parameter_invalid',
      details: [{ param: 'holder' }],
    });
    await expect(nameless.rename('Grace', 'Hopper', 'grace')).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await announcedOf(table, nameless.orgId)).toEqual([]);
  });

  it.each([
    ['300 characters', 'a'.repeat(300)],
    ['a mark that turns the direction', 'Ada\u202Elirpa'],
    ['a right-to-left mark', 'Ada\u200F'],
    ['a line break', 'Ada\n'],
    ['only spaces', '  '],
  ])('update-ticket refuses a name with %s', async (_what, name) => {
    const given = await givenTickets(table);
    const problem = { issues: [{ path: [{ key: 'holder' }, { key: 'first_name' }] }] };
    await expectRefused(given, () => given.rename(name, 'Hopper'), problem);
  });

  it.each(['Zoë', 'Šimůnek', 'Αθηνά', 'Иван', 'محمد', 'שרה', '太郎'])(
    'update-ticket accepts the name %s',
    async (name) => {
      const { rename } = await givenTickets(table);
      expect(await rename(name, 'Hopper')).toMatchObject({ ticket_name: `${name} Hopper` });
    },
  );

  it('two names at the same time: both are written, one after the other, and the last one stays everywhere', async () => {
    const { rename, retrieve, orgId, barcode } = await givenTickets(table);
    await Promise.all([rename('Grace', 'Hopper'), rename('Joan', 'Clarke')]);
    const { ticket_name } = await retrieve();
    expect(await readTickets(table, orgId, [barcode])).toMatchObject([{ ticketName: ticket_name }]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});

describe('delayed barcodes', () => {
  it('the fan sees the barcode from barcode_from_hours before the start on, a key always', async () => {
    const { retrieve, rename, orgId, barcode, clock } = await givenTickets(table, { price: { barcodeFromHours: 24 } });
    const fromUnix = kickOffUnix - 86_400;
    clock.nowUnix = fromUnix - 1;
    expect(await retrieve('ada')).toMatchObject({ barcode: null, barcode_from_unix: fromUnix });
    expect(await retrieve()).toMatchObject({ barcode, barcode_from_unix: fromUnix });
    expect(await rename('Grace', 'Hopper', 'ada')).toMatchObject({ barcode: null });
    expect(await announcedOf(table, orgId)).toMatchObject([{ data: { ticket: { barcode: null } } }]);
    clock.nowUnix = fromUnix;
    expect(await retrieve('ada')).toMatchObject({ barcode });
  });

  it.each([
    ['a storefront token', 'storefront', null],
    ['an API key', 'secret', expect.any(String)],
  ] as const)(
    'the order of a checkout and its basket show the barcode to %s accordingly',
    async (_who, kind, shown) => {
      const deps = newCheckoutDeps(table);
      const { orgId } = deps;
      const { price } = await givenOnSale(table, orgId, { barcodeFromHours: 24 });
      const { basketId } = await givenBasket(deps, price);
      const params = { basket_id: String(basketId) };
      const call = { table, orgId, nowMs: deps.nowUnix * 1000, kind };
      const body = {
        customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
        payment_method: 'pm_card_visa',
      };
      const order = await callHandler(checkOutBasket, checkOut, { params, body }, call);
      expect(order).toMatchObject({ tickets: [{ barcode: shown }] });
      // A repeat reads the order that was made.
      expect(await callHandler(checkOutBasket, checkOut, { params, body }, call)).toEqual(order);
      const basket = (nowMs: number) => callHandler(retrieveBasket, retrieveABasket, { params }, { ...call, nowMs });
      expect(await basket(call.nowMs)).toMatchObject({ order: { tickets: [{ barcode: shown }] } });
      const later = await basket((farFutureUnix - 86_400) * 1000);
      expect(later).toMatchObject({ order: { tickets: [{ barcode: expect.any(String) }] } });
      expect(await announcedOf(table, orgId)).toMatchObject([
        { type: 'order.completed', data: { order: { tickets: [{ barcode: null }] } } },
      ]);
    },
  );
});
