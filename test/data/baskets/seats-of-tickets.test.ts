import { beforeAll, expect, it } from 'vitest';
import { handle as handleSeats } from '../../../functions/api/baskets/add-basket-seats.ts';
import { handle as handleAccept } from '../../../functions/api/tickets/accept-transfer.ts';
import { handle as handleRetrieve } from '../../../functions/api/tickets/retrieve-ticket.ts';
import { handle as handleOffer } from '../../../functions/api/tickets/transfer-ticket.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { eventTicket } from '../../../shared/mappers/event-ticket.ts';
import { addBasketSeats } from '../../../shared/operations/baskets/add-basket-seats.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { retrieveTicket } from '../../../shared/operations/tickets/retrieve-ticket.ts';
import { transferTicket } from '../../../shared/operations/tickets/transfer-ticket.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, checkoutDepsOf } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenSeatedEvent, givenSeats, rowsNow } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
let halls = 0;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const map = aSeatMap([{ row: 'C', seats: '1-8' }]);

async function givenHall() {
  halls += 1;
  const deps = checkoutDepsOf(table, `org_hall${halls}`);
  await givenOrganisation(table, deps.orgId);
  return { deps, orgId: deps.orgId, ...(await givenSeatedEvent(table, deps.orgId, { map })) };
}

/** A ticket that was sold with its seat. */
async function givenSeatedTicket() {
  const hall = await givenHall();
  const { basketId } = await givenSeats(hall.deps, hall.price, ['Stalls/C/1', 'Stalls/C/2']);
  const order = await checkOutWith(hall.deps, basketId);
  const [ticket] = order.outcome === 'confirmed' ? order.placed.tickets : [];
  if (ticket === undefined) throw new Error(order.outcome);
  return { ...hall, basketId, ticket };
}

const seat = { section_label: 'Stalls', seat_row: 'C', seat_title: '1' };

it('seats with a code cost less, also those that are added after it, and keep their places on the tickets', async () => {
  const { orgId, price } = await givenHall();
  const shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  const office = new CodeOffice(table, orgId, (await givenKey(table, orgId)).text);
  await office.word('Early 10', { effect: { kind: 'amount', value: 5 } });
  const basket = await shop.opened();
  await shop.addSeats(basket, price.priceId, 2);
  expect((await shop.applyCode(basket, 'early10')).body).toMatchObject({ code: { reduction: 10 } });
  const { body } = await shop.addSeats(basket, price.priceId, 2);
  expect(body).toMatchObject({ code: { reduction: 20 }, items: [{ quantity: 2 }, { quantity: 2 }] });
  const { body: order } = await shop.checkOut(basket);
  const placed = { discount: 5, section_label: 'Stalls', seat_row: 'C', seat_title: expect.any(String) };
  expect(order).toMatchObject({ tickets: [placed, placed, placed, placed] });
  expect(await findingsOf(table, orgId)).toEqual([]);
});

it('the best seats are those of the section that the buyer wishes, with the names of who sits there', async () => {
  const deps = checkoutDepsOf(table, 'org_wishes');
  await givenOrganisation(table, deps.orgId);
  const rows = ['Front', 'Middle', 'Back'].map((section) => ({ section, row: 'A', seats: '1-8', zone: 'Stalls' }));
  const { price } = await givenSeatedEvent(table, deps.orgId, { map: aSeatMap(rows) });
  const { basketId } = await openBasket(table, deps);
  const holders = [{ first_name: 'Ada' }, { first_name: 'Grace' }];
  const body = { items: [{ price_id: price.priceId, quantity: 2, holders }], section: 'Back' };
  const context = { table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 };
  await callHandler(addBasketSeats, handleSeats, { params: { basket_id: String(basketId) }, body }, context);
  const order = await checkOutWith(deps, basketId);
  expect(order).toMatchObject({
    placed: {
      tickets: [
        { sectionLabel: 'Back', ticketName: 'Ada' },
        { sectionLabel: 'Back', ticketName: 'Grace' },
      ],
    },
  });
});

it('a ticket that is given to somebody else keeps its seat, and a refund frees it once', async () => {
  const { deps, orgId, event, basketId, ticket } = await givenSeatedTicket();
  const context = { table, orgId, nowMs: deps.nowUnix * 1000 };
  const params = { ticket_id: String(ticket.ticketId) };
  const body = { email: 'grace@example.com' };
  const offered = await callHandler(transferTicket, handleOffer, { params, body }, context);
  const names = { first_name: 'Grace', last_name: 'Hopper' };
  const taken = {
    params: { transfer_id: offered.transfer_id },
    body: { accept_token: offered.accept_token, ...names },
  };
  expect(await callHandler(acceptTransfer, handleAccept, taken, context)).toMatchObject(seat);
  expect(await callHandler(retrieveTicket, handleRetrieve, { params }, context)).toMatchObject({
    ticket_name: 'Grace Hopper',
    ...seat,
  });
  expect(await rowsNow(table, orgId, event.eventId, map)).toEqual(['xx......']);
  expect(await findingsOf(table, orgId)).toEqual([]);
  await refundOrder(deps, { orderId: basketId, tickets: [ticket.ticketId] });
  expect(await rowsNow(table, orgId, event.eventId, map)).toEqual(['.x......']);
  expect(await findingsOf(table, orgId)).toEqual([]);
});

it('a scan and the offline list of a gate name the seat, without a name or a barcode', async () => {
  const { orgId, event, ticket } = await givenSeatedTicket();
  const { eventId } = event;
  const scannedUnix = event.startUnix - 3_600;
  const scan = aScan(ticket.barcode, { eventId, scannedUnix, receivedMs: scannedUnix * 1000 });
  expect((await recordScan(table, { orgId, scan, nonce: null })).scan).toMatchObject({
    result: 'ok',
    sectionLabel: 'Stalls',
    seatRow: 'C',
    seatTitle: '1',
  });
  const listing = { orgId, event, updatedSince: undefined, after: undefined, limit: 10 };
  const { rows } = await readOfflinePage(table, listing);
  expect(rows.map((row) => eventTicket(row, { reader: 'gate', cancelledUnix: null }))).toMatchObject([
    { ...seat, ticket_name: null, barcode: null },
    { ...seat, seat_title: '2' },
  ]);
});
