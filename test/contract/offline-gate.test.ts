import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Gate } from '../../examples/gate/gate.ts';
import { changeTickets } from '../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { givenEventWithPrices } from '../support/event-with-prices.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';
import { newGate, type Place, startPlace } from '../support/offline-gates.ts';
import { longTest } from '../support/thorough.ts';
import { givenTickets } from '../support/tickets.ts';

const orgId = 'org_offline';
let place: Place;

beforeAll(async () => {
  place = await startPlace(orgId);
});
afterAll(() => place.stop());

const nowUnix = () => Math.floor(place.service.cloud.clock.now() / 1000);

const gateAt = (name: string, eventId: number, gateId: number) => newGate(place, name, eventId, gateId);

it('the sample gate admits without a connection, survives a restart, and reports every scan once when it is connected again', async () => {
  const sold = await givenEventWithPrices(place.service.table, orgId);
  const { eventId } = sold.event;
  const [adult] = sold.prices;
  const tickets = [sold.ticket(adult), sold.ticket(adult), sold.ticket(adult), sold.ticket(adult)];
  const placed = anOrder({ eventId, tickets });
  await writeOrder(place.service.table, orgId, placed);
  const [first = '', second = '', third = '', fourth = ''] = tickets.map(({ barcode }) => barcode);
  const [east, west] = [await gateAt('east', eventId, 1), await gateAt('west', eventId, 2)];
  for (const { gate } of [east, west]) expect(await gate.sync()).toBe(4);
  expect(readFileSync(join(place.folder, 'east', 'tickets.json'), 'utf8')).not.toContain(first);
  expect(await east.gate.scan(first)).toEqual({ admitted: true, result: 'ok', offline: false });

  // Refunded after the gates were synchronised: the gates learn it before the network fails.
  await changeTickets(
    place.service.table,
    { orgId, orderId: placed.orderId },
    { tickets: [placed.orderId + 4], to: 'refunded', atUnix: nowUnix() },
  );
  expect(await east.gate.sync()).toBeGreaterThanOrEqual(1);

  await place.network.cut();
  await expect(east.gate.sync()).rejects.toThrow();
  const decided = async (gate: Gate, barcode: string) => (await gate.scan(barcode)).result;
  expect(await east.gate.scan(` ${second.toLowerCase()}\r`)).toEqual({ admitted: true, result: 'ok', offline: true });
  expect(await decided(east.gate, second)).toBe('already_scanned');
  expect(await decided(east.gate, first)).toBe('already_scanned');
  expect(await decided(east.gate, fourth)).toBe('refunded');
  expect(await decided(east.gate, 'forged')).toBe('invalid');
  expect(await east.gate.scan(second, 'out')).toMatchObject({ admitted: true, result: 'out' });
  // The other gate knows nothing of this entry: it admits the ticket, and the report shows it.
  expect(await decided(west.gate, third)).toBe('ok');
  expect(await decided(east.gate, third)).toBe('ok');
  expect(await east.gate.upload()).toEqual([]);

  const restarted = east.restart();
  expect(restarted.ticketCount).toBe(4);
  expect(restarted.pendingCount).toBe(7);
  expect(await decided(restarted, third)).toBe('already_scanned');

  await place.network.repair();
  expect(await west.gate.upload()).toEqual([]);
  const differences = await restarted.upload();
  expect(differences).toMatchObject([{ barcode: third, local: 'ok', recorded: 'already_scanned' }]);
  expect([restarted.pendingCount, west.gate.pendingCount]).toEqual([0, 0]);
  expect(await restarted.upload()).toEqual([]);
  expect(east.restart().pendingCount).toBe(0);

  const key = await place.service.newKey(orgId);
  const scans = await place.service.call(`/v1/events/${eventId}/scans?limit=100`, { key });
  const results = rowsOf(fieldsOf(scans.body).data)
    .map(({ result }) => result)
    .sort();
  expect(results).toEqual(
    [
      'ok',
      'ok',
      'ok',
      'already_scanned',
      'already_scanned',
      'already_scanned',
      'already_scanned',
      'refunded',
      'invalid',
      'out',
    ].sort(),
  );
});

longTest(
  'the sample gate refuses the old barcode of a ticket that was given away, and admits the new one, with and without a connection',
  async () => {
    const { event, ticketId, placed } = await givenTickets(place.service.table, { orgId, startUnix: farFutureUnix });
    const key = await place.service.newKey(orgId);
    const post = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      return fieldsOf(
        (await place.service.call(path, { method: 'POST', key, headers, body: JSON.stringify(body) })).body,
      );
    };
    /** Gives a ticket away, and returns its new barcode. */
    const giveAway = async (id: number) => {
      const { transfer_id, accept_token } = await post(`/v1/tickets/${id}/transfers`, { email: 'grace@example.com' });
      const names = { first_name: 'Grace', last_name: 'Hopper' };
      return String((await post(`/v1/transfers/${transfer_id}/accept`, { accept_token, ...names })).barcode);
    };
    const [first = '', second = ''] = placed.tickets.map(({ barcode }) => barcode);
    const { gate } = await gateAt('north', event.eventId, 3);
    await gate.sync();
    const [firstNew, secondNew] = [await giveAway(ticketId), await giveAway(ticketId + 1)];
    expect(await gate.scan(first)).toEqual({ admitted: false, result: 'transferred', offline: false });
    expect(await gate.scan(firstNew)).toEqual({ admitted: true, result: 'ok', offline: false });

    await gate.sync();
    await place.network.cut();
    expect(await gate.scan(second)).toEqual({ admitted: false, result: 'transferred', offline: true });
    expect(await gate.scan(secondNew)).toEqual({ admitted: true, result: 'ok', offline: true });
    await place.network.repair();
    expect(await gate.upload()).toEqual([]);
  },
);

it('the sample gate sets a scan that the service refuses aside, with the reason, and reports the later ones', async () => {
  const sold = await givenEventWithPrices(place.service.table, orgId);
  const { eventId } = sold.event;
  const ticket = sold.ticket(sold.prices[0]);
  await writeOrder(place.service.table, orgId, anOrder({ eventId, tickets: [ticket] }));
  const { gate, restart } = await gateAt('south', eventId, 5);
  await gate.sync();
  const tooLong = `https://example.com/${'x'.repeat(100)}`;
  const live = await gate.scan(tooLong);
  expect(live).toMatchObject({ admitted: false, result: 'refused', offline: false });
  expect(live.reason).toContain('barcode');
  expect(gate.pendingCount).toBe(0);

  await place.network.cut();
  expect(await gate.scan(tooLong)).toEqual({ admitted: false, result: 'invalid', offline: true });
  expect(await gate.scan(ticket.barcode)).toEqual({ admitted: true, result: 'ok', offline: true });
  await place.network.repair();
  expect(await gate.upload()).toMatchObject([
    { barcode: tooLong, local: 'invalid', recorded: 'refused', reason: expect.stringContaining('barcode') },
  ]);
  expect([gate.pendingCount, restart().pendingCount]).toEqual([0, 0]);
  expect(await gate.scan(ticket.barcode)).toEqual({ admitted: false, result: 'already_scanned', offline: false });
});

it('the sample gate keeps its scans while its token is refused', async () => {
  const sold = await givenEventWithPrices(place.service.table, orgId);
  const ticket = sold.ticket(sold.prices[0]);
  await writeOrder(place.service.table, orgId, anOrder({ eventId: sold.event.eventId, tickets: [ticket] }));
  const { gate } = await gateAt('tower', sold.event.eventId, 6);
  await gate.sync();
  const refused = new Gate({
    url: place.network.url,
    token: 'gl_gate_unknown',
    eventId: String(sold.event.eventId),
    gateId: 6,
    folder: join(place.folder, 'tower'),
  });
  expect(await refused.scan(ticket.barcode)).toMatchObject({ admitted: true, offline: true });
  expect(await refused.upload()).toEqual([]);
  expect(refused.pendingCount).toBe(1);
});
