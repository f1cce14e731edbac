import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeTickets } from '../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { givenEventWithPrices } from '../support/event-with-prices.ts';
import { newGate, type Place, startPlace } from '../support/offline-gates.ts';

const orgId = 'org_clocks';
let place: Place;

beforeAll(async () => {
  place = await startPlace(orgId);
});
afterAll(() => place.stop());

/** An event with two tickets, and the barcodes. */
async function givenTwoTickets() {
  const sold = await givenEventWithPrices(place.service.table, orgId);
  const tickets = [sold.ticket(sold.prices[0]), sold.ticket(sold.prices[0])];
  const placed = anOrder({ eventId: sold.event.eventId, tickets });
  await writeOrder(place.service.table, orgId, placed);
  const [first = '', second = ''] = tickets.map(({ barcode }) => barcode);
  return { eventId: sold.event.eventId, orderId: placed.orderId, first, second };
}

const refund = (orderId: number) =>
  changeTickets(
    place.service.table,
    { orgId, orderId },
    { tickets: [orderId + 1], to: 'refunded', atUnix: Math.floor(place.service.cloud.clock.now() / 1000) },
  );

for (const [title, aheadSeconds] of [
  ['is two hours ahead', 7_200],
  ['is a month behind', -30 * 86_400],
] as const) {
  it(`the sample gate goes by the clock of the service when its own ${title}`, async () => {
    const { eventId, orderId, first, second } = await givenTwoTickets();
    const { gate, restart } = await newGate({ ...place, aheadSeconds }, `clock-${aheadSeconds}`, eventId, 7);
    await gate.sync();
    await refund(orderId);
    await gate.sync();
    await place.network.cut();
    const restarted = restart();
    expect(await restarted.scan(first)).toEqual({ admitted: false, result: 'refunded', offline: true });
    expect(await restarted.scan(second)).toEqual({ admitted: true, result: 'ok', offline: true });
    await place.network.repair();
    // The service takes times of the last 14 days and of the next hour.
    expect(await restarted.upload()).toEqual([]);
    expect(restarted.pendingCount).toBe(0);
  });
}

it('the sample gate does not go by the clock of a proxy, or of a page to sign in to a network', async () => {
  const { eventId, first, second } = await givenTwoTickets();
  const { gate, at, restart } = await newGate(place, 'station', eventId, 9);
  await gate.sync();
  const statuses = [502, 200];
  const proxy = createServer((_, response) => {
    response.writeHead(statuses.shift() ?? 200, { Date: new Date(0).toUTCString() }).end('<html>Sign in</html>');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  try {
    const behind = at(`http://127.0.0.1:${port}`);
    expect(await behind.scan(first)).toEqual({ admitted: true, result: 'ok', offline: true });
    expect(await behind.upload()).toEqual([]);
    expect(statuses).toEqual([]);
    expect(await behind.scan(second)).toEqual({ admitted: true, result: 'ok', offline: true });
  } finally {
    await new Promise((resolve) => proxy.close(resolve));
  }
  const online = restart();
  expect(online.pendingCount).toBe(2);
  expect(await online.upload()).toEqual([]);
});
