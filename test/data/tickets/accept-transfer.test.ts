import { beforeAll, describe, expect, it } from 'vitest';
import { handle as accept } from '../../../functions/api/tickets/accept-transfer.ts';
import { readTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { givenKey } from '../../../tools/fixtures/auth.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { findingsOf } from '../../support/audit.ts';
import { callOperation } from '../../support/call-operation.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { expectRefused, givenTickets, type Offered } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const shown = ({ accept_token: _, ...transfer }: Offered) => transfer;

describe('accept-transfer', () => {
  it('accept-transfer gives the ticket a new barcode and name, and announces it once, without a token', async () => {
    const given = await givenTickets(table);
    const { orgId, ticketId, placed, barcode, clock } = given;
    const offered = await given.offer('grace@example.com', 'ada');
    const accepted = await given.accept(offered, { fan: 'grace' });
    expect(accepted).toMatchObject({
      ticket_id: ticketId,
      ticket_status_id: 1,
      ticket_name: 'Grace Hopper',
      order_id: placed.orderId,
      updated_at: clock.nowUnix,
    });
    expect(accepted.barcode).toMatch(/^[0-9A-Z]{18}$/);
    expect(accepted.barcode).not.toBe(barcode);
    expect(await given.retrieve()).toEqual(accepted);
    expect(await given.retrieve('grace')).toEqual(accepted);
    await expect(given.retrieve('ada')).rejects.toMatchObject({ code: 'resource_not_found' });
    const events = await announcedOf(table, orgId);
    expect(events).toMatchObject([
      { type: 'ticket.transfer_offered' },
      {
        type: 'ticket.transferred',
        data: {
          order_id: placed.orderId,
          ticket: { ticket_id: ticketId, barcode: accepted.barcode, ticket_name: 'Grace Hopper' },
          transfer: { ...shown(offered), status: 'accepted' },
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(offered.accept_token);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('accept-transfer repeats its answer for an Idempotency-Key to the same fan, and to nobody else', async () => {
    const given = await givenTickets(table);
    const bearer = (await givenKey(table, given.orgId)).text;
    const { transfer_id, accept_token } = await given.offer('grace@example.com', 'ada');
    const send = (token: string | undefined) =>
      callOperation(acceptTransfer, accept, {
        table,
        nowMs: given.clock.nowUnix * 1000,
        bearer,
        idempotencyKey: 'accept-1',
        params: { transfer_id },
        body: { accept_token, first_name: 'Grace', last_name: 'Hopper' },
        headers: token === undefined ? {} : { 'X-SSO-Token': token },
      });
    const accepted = await send(given.by('grace').ssoToken);
    expect(accepted.status).toBe(200);
    expect(await send(given.by('grace').ssoToken)).toEqual(accepted);
    for (const other of [given.by('ada').ssoToken, 'no token', undefined]) {
      expect(await send(other)).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } });
    }
  });

  it('the old barcode is refused as transferred, the new one is admitted', async () => {
    const given = await givenTickets(table);
    const { barcode } = await given.accept(await given.offer('grace@example.com'));
    expect(await given.scan(given.barcode)).toBe('transferred');
    expect(await given.scan(String(barcode))).toBe('ok');
    expect(await given.scan(given.barcode)).toBe('transferred');
    expect(await findingsOf(table, given.orgId)).toEqual([]);
  });

  it('a ticket that was given away twice keeps both old barcodes void, and only the last holder holds it', async () => {
    const given = await givenTickets(table);
    const first = await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    await expect(given.offer('joan@example.com', 'ada')).rejects.toMatchObject({ code: 'resource_not_found' });
    const offer = await given.offer('joan@example.com', 'grace');
    expect(offer.transfer_id).toBe(`${given.ticketId}-2`);
    // Whom the buyer had offered it to is not shown to the next holder.
    expect(await given.transfers('grace')).toMatchObject({ data: [{ transfer_id: offer.transfer_id }] });
    const second = await given.accept(offer);
    for (const fan of ['ada', 'grace']) {
      await expect(given.retrieve(fan)).rejects.toMatchObject({ code: 'resource_not_found' });
    }
    expect(await given.transfers()).toMatchObject({
      data: [
        { email: 'grace@example.com', status: 'accepted' },
        { email: 'joan@example.com', status: 'accepted' },
      ],
    });
    for (const [barcode, result] of [
      [given.barcode, 'transferred'],
      [first.barcode, 'transferred'],
      [second.barcode, 'ok'],
    ]) {
      expect(await given.scan(String(barcode))).toBe(result);
    }
    expect(await findingsOf(table, given.orgId)).toEqual([]);
  });

  it('a ticket can be given back to the buyer', async () => {
    const given = await givenTickets(table);
    await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    const back = await given.accept(await given.offer('ada@example.com', 'grace'), { fan: 'ada' });
    expect(await given.retrieve('ada')).toEqual(back);
    expect(await given.ordersOf('ada')).toMatchObject({ data: [{ ticket_count: 2 }] });
    expect((await given.ticketsOf('ada')).length).toBe(2);
  });

  it('a wrong token, an unknown transfer and a malformed id look the same, and nothing changes', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const missing = { code: 'resource_not_found', message: 'No such transfer.' };
    const wrong = `${offered.accept_token.slice(0, -1)}${offered.accept_token.endsWith('a') ? 'b' : 'a'}`;
    await expectRefused(given, () => given.accept({ ...offered, accept_token: wrong }), missing);
    for (const transfer_id of [`${given.ticketId}-2`, `${given.ticketId + 1}-1`, 'x', '1-1', `${given.ticketId}`]) {
      await expectRefused(given, () => given.accept({ ...offered, transfer_id }), missing);
    }
  });

  it('accept-transfer is refused after a cancellation, an expiry, an acceptance, a scan, a refund and the start of the event', async () => {
    const cancelled = await givenTickets(table);
    const first = await cancelled.offer('grace@example.com');
    expect(await cancelled.cancel(first, 'ada')).toMatchObject({ status: 'cancelled' });
    await expectRefused(cancelled, () => cancelled.accept(first), { code: 'transfer_not_open' });

    const late = await givenTickets(table);
    const expiring = await late.offer('grace@example.com');
    late.clock.nowUnix = kickOffUnix;
    await expectRefused(late, () => late.accept(expiring), { code: 'transfer_not_open' });

    const taken = await givenTickets(table);
    const offered = await taken.offer('grace@example.com');
    await taken.accept(offered);
    await expectRefused(taken, () => taken.accept(offered), {
      code: 'transfer_not_open',
      message: 'This transfer was accepted already.',
    });
    await expectRefused(taken, () => taken.cancel(offered), { code: 'transfer_not_open' });

    const scanned = await givenTickets(table);
    const beforeScan = await scanned.offer('grace@example.com');
    await scanned.scan(scanned.barcode);
    await expectRefused(scanned, () => scanned.accept(beforeScan), { code: 'ticket_scanned' });

    const refunded = await givenTickets(table);
    const beforeRefund = await refunded.offer('grace@example.com');
    await refunded.refund();
    await expectRefused(refunded, () => refunded.accept(beforeRefund), { code: 'ticket_not_active' });
  });

  it.each([
    ['300 characters', 'a'.repeat(300)],
    ['a mark that turns the direction', 'Ada\u202Elirpa'],
    ['a line break', 'Ada\n'],
  ])('accept-transfer refuses a name with %s, and the offer stays open', async (_what, firstName) => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    await expectRefused(given, () => given.accept(offered, { firstName }), {
      issues: [{ path: [{ key: 'first_name' }] }],
    });
    expect(await given.accept(offered)).toMatchObject({ ticket_name: 'Grace Hopper' });
  });

  it('a signed-in fan whose response was lost gets the ticket again, and nobody else does', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const accepted = await given.accept(offered, { fan: 'grace' });
    expect(await given.accept(offered, { fan: 'grace' })).toEqual(accepted);
    for (const fan of [undefined, 'ada']) {
      await expect(given.accept(offered, { fan })).rejects.toMatchObject({ code: 'transfer_not_open' });
    }
    expect((await announcedOf(table, given.orgId)).length).toBe(2);
  });

  it('a refund goes to the buyer and ends the ticket under its new barcode', async () => {
    const given = await givenTickets(table);
    const { barcode } = await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    await given.refund('all');
    const { orgId } = given;
    expect(await given.scan(String(barcode))).toBe('refunded');
    expect(await given.scan(given.barcode)).toBe('transferred');
    expect(await given.ordersOf('grace')).toMatchObject({ data: [] });
    expect(await readTickets(table, orgId, [String(barcode)])).toMatchObject([{ status: 3 }]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});

describe('what the fans see of a ticket that was given away', () => {
  it('list-sso-orders shows it to its holder, without what the order cost, and list-sso-order-tickets only to the holder', async () => {
    const given = await givenTickets(table);
    const { barcode } = await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    expect(await given.ordersOf('grace')).toMatchObject({
      data: [
        {
          order_id: String(given.placed.orderId),
          total: 0,
          refunded: 0,
          currency: 'AUD',
          ticket_count: 1,
          event_id: String(given.event.eventId),
        },
      ],
    });
    expect(await given.ticketsOf('grace')).toMatchObject([{ barcode, ticket_name: 'Grace Hopper' }]);
    const own = await given.ticketsOf('ada');
    expect(own).toMatchObject([{ ticket_id: given.ticketId + 1 }]);
    expect(JSON.stringify(own)).not.toContain(barcode);
  });

  it('a delayed barcode stays hidden from the fan who accepts', async () => {
    const given = await givenTickets(table, { price: { barcodeFromHours: 1 } });
    const offered = await given.offer('grace@example.com', 'ada');
    expect(await given.accept(offered, { fan: 'grace' })).toMatchObject({ barcode: null });
    expect(await given.ticketsOf('grace')).toMatchObject([{ barcode: null }]);
    expect(await announcedOf(table, given.orgId)).toMatchObject([
      { data: { ticket: { barcode: null } } },
      { data: { ticket: { barcode: null } } },
    ]);
    expect(await given.retrieve()).toMatchObject({ barcode: expect.any(String) });
  });
});
