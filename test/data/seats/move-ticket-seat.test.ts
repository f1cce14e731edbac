import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleMove } from '../../../functions/api/orders/move-ticket-seat.ts';
import { handle as handleAccept } from '../../../functions/api/tickets/accept-transfer.ts';
import { handle as handleTicket } from '../../../functions/api/tickets/retrieve-ticket.ts';
import { handle as handleTransfer } from '../../../functions/api/tickets/transfer-ticket.ts';
import { moveTicketSeat as move } from '../../../shared/data/orders/move-seat.ts';
import { findOrderRef } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { moveTicketSeat } from '../../../shared/operations/orders/move-ticket-seat.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { retrieveTicket } from '../../../shared/operations/tickets/retrieve-ticket.ts';
import { transferTicket } from '../../../shared/operations/tickets/transfer-ticket.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { anOrder, aScan, aTicket } from '../../../tools/fixtures/orders.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenSeatedEvent, givenSeats, rowsNow } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-8' },
  { row: 'B', seats: '1-8' },
  { section: 'Circle', row: 'A', seats: '1-4' },
]);

/** An order with A1 and A2, and a basket with B1. */
async function givenSold() {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  await givenOrganisation(table, orgId);
  const seated = await givenSeatedEvent(table, orgId, { map: hall, allowSingleSeats: true });
  const { eventId } = seated.event;
  await givenPriceCategory(table, orgId, { eventId, code: 'circle', zone: 'Circle' });
  const { basketId: orderId } = await givenSeats(deps, seated.price, ['Stalls/A/1', 'Stalls/A/2']);
  const order = await checkOutWith(deps, orderId);
  if (order.outcome !== 'confirmed') throw new Error(order.outcome);
  await givenSeats(deps, seated.price, ['Stalls/B/1']);
  const [ticket] = order.placed.tickets;
  if (ticket === undefined) throw new Error('The order has no ticket.');
  const params = { order_id: String(orderId), ticket_id: String(ticket.ticketId) };
  const call = { table, orgId, nowMs: deps.nowUnix * 1000 + 5_000 };
  return {
    deps,
    orgId,
    eventId,
    orderId,
    ticket,
    params,
    ...seated,
    move: (seat: string) => callHandler(moveTicketSeat, handleMove, { params, body: { seat } }, call),
    retrieve: () => callHandler(retrieveTicket, handleTicket, { params: { ticket_id: params.ticket_id } }, call),
    refund: () => refundOrder(deps, { orderId, tickets: [ticket.ticketId] }),
    rows: () => rowsNow(table, orgId, eventId, hall),
  };
}

describe('move-ticket-seat', () => {
  it.each([
    ['in its row', 'Stalls/A/8', ['.x.....x', 'x.......', '....']],
    ['in another row', 'Stalls/B/4', ['.x......', 'x..x....', '....']],
  ])('gives the ticket a seat %s, and the barcode stays', async (_where, seat, rows) => {
    const given = await givenSold();
    const [section_label, seat_row, seat_title] = seat.split('/');
    const moved = await given.move(seat);
    const { barcode } = given.ticket;
    expect(moved).toMatchObject({ barcode, section_label, seat_row, seat_title, ticket_status_id: 1 });
    expect(await given.retrieve()).toEqual(moved);
    expect(await given.rows()).toEqual(rows);
    expect(await given.move(seat)).toEqual(moved);
    const announced = (await announcedOf(table, given.orgId)).filter(({ type }) => type === 'ticket.updated');
    const changed = seat_row === 'A' ? ['seat_title'] : ['seat_row', 'seat_title'];
    expect(announced).toMatchObject([{ data: { ticket: { seat_title }, changed, previous: { seat_title: '1' } } }]);
    const scan = aScan(barcode, { eventId: given.eventId });
    expect((await recordScan(table, { orgId: given.orgId, scan, nonce: null })).scan.result).toBe('ok');
    expect(await findingsOf(table, given.orgId)).toEqual([]);
    await given.refund();
    expect(await given.rows()).toEqual(['.x......', 'x.......', '....']);
    expect(await findingsOf(table, given.orgId)).toEqual([]);
  });

  it('refuses a seat that is taken, unknown or of another zone, and nothing changes', async () => {
    const given = await givenSold();
    const refused: [string, string][] = [
      ['Stalls/A/2', 'seat_taken'],
      ['Stalls/B/1', 'seat_taken'],
      ['Stalls/C/1', 'seat_unknown'],
      ['A1', 'seat_unknown'],
      ['Circle/A/1', 'seat_wrong_zone'],
    ];
    for (const [seat, code] of refused) {
      await expect(given.move(seat), seat).rejects.toMatchObject({ code, details: [{ param: 'seat' }] });
    }
    expect(await given.rows()).toEqual(['xx......', 'x.......', '....']);
    expect((await announcedOf(table, given.orgId)).filter(({ type }) => type === 'ticket.updated')).toEqual([]);
  });

  it('refuses a ticket that is refunded, one of another order, and one that was imported with a seat', async () => {
    const given = await givenSold();
    await given.refund();
    await expect(given.move('Stalls/A/8')).rejects.toMatchObject({ code: 'ticket_not_active' });
    const { orgId, eventId, price, params } = given;
    const seat = { sectionLabel: 'Stalls', seatRow: 'B', seatTitle: '7' };
    const ticket = aTicket({ priceId: price.priceId, priceIndex: price.index, ...seat });
    const imported = anOrder({ eventId, tickets: [ticket] });
    await writeOrder(table, orgId, imported);
    const call = (path: Partial<typeof params>) => {
      const input = { params: { ...params, ...path }, body: { seat: 'Stalls/A/8' } };
      return callHandler(moveTicketSeat, handleMove, input, { table, orgId });
    };
    const order_id = String(imported.orderId);
    await expect(call({ order_id })).rejects.toMatchObject({ code: 'resource_not_found' });
    const ticket_id = String(imported.orderId + 1);
    await expect(call({ order_id, ticket_id })).rejects.toMatchObject({ code: 'seat_unknown' });
    expect(await given.rows()).toEqual(['.x......', 'x.......', '....']);
  });

  it.each(Array.from({ length: amount(4, 40) }, (_, round) => round))(
    'a refund and a move at the same moment: the ticket has one seat or none (%i)',
    async () => {
      const given = await givenSold();
      const [moved] = await Promise.allSettled([given.move('Stalls/B/8'), given.refund()]);
      if (moved.status === 'rejected') expect(moved.reason).toMatchObject({ code: 'ticket_not_active' });
      expect(await given.rows()).toEqual(['.x......', 'x.......', '....']);
      expect(await findingsOf(table, given.orgId)).toEqual([]);
    },
  );

  it.each(Array.from({ length: amount(4, 40) }, (_, round) => round))(
    'a transfer and a move at the same moment: the new holder has the ticket, its seat and its barcode (%i)',
    async () => {
      const given = await givenSold();
      const { orgId, deps, ticket } = given;
      const context = { table, orgId, nowMs: deps.nowUnix * 1000 + 5_000 };
      const offer = { params: { ticket_id: given.params.ticket_id }, body: { email: 'grace@example.com' } };
      const { transfer_id, accept_token } = await callHandler(transferTicket, handleTransfer, offer, context);
      const body = { accept_token, first_name: 'Grace', last_name: 'Hopper' };
      await Promise.all([
        callHandler(acceptTransfer, handleAccept, { params: { transfer_id }, body }, context),
        given.move('Stalls/B/8'),
      ]);
      const held = (await given.retrieve()) as { readonly barcode: string };
      expect(held).toMatchObject({ ticket_name: 'Grace Hopper', seat_row: 'B', seat_title: '8' });
      expect(held.barcode).not.toBe(ticket.barcode);
      expect(await given.rows()).toEqual(['.x......', 'x......x', '....']);
      expect(await findingsOf(table, orgId)).toEqual([]);
    },
  );

  it('two moves and a hold of one seat at the same moment: one of them has it', async () => {
    const { deps, orgId, orderId, ticket, price, rows } = await givenSold();
    const ref = await findOrderRef(table, orgId, String(orderId));
    if (ref === undefined) throw new Error('There is no order.');
    const to = (ticketId: number) =>
      move(table, orgId, { ref, ticketId, map: hall, seat: 'Stalls/B/8', atUnix: deps.nowUnix });
    const held = givenSeats(deps, price, ['Stalls/B/8']).then(
      () => 'moved',
      () => 'refused',
    );
    const [one, other, basket] = await Promise.all([to(ticket.ticketId), to(ticket.ticketId + 1), held]);
    expect([one.outcome, other.outcome, basket].toSorted()).toEqual(['moved', 'refused', 'refused']);
    expect((await rows()).join('').split('x').length - 1).toBe(basket === 'moved' ? 4 : 3);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('a scan and a move at the same moment both happen', async () => {
    const given = await givenSold();
    const scan = aScan(given.ticket.barcode, { eventId: given.eventId });
    const [recorded] = await Promise.all([
      recordScan(table, { orgId: given.orgId, scan, nonce: null }),
      given.move('Stalls/B/8'),
    ]);
    expect(recorded.scan.result).toBe('ok');
    expect(await given.rows()).toEqual(['.x......', 'x......x', '....']);
    expect(await findingsOf(table, given.orgId)).toEqual([]);
  });
});
