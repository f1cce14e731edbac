import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { goneDevice } from '../../local/run/push-double.ts';
import { passDeviceKey, ticketPassesPartition } from '../../shared/data/table/keys.ts';
import { idText } from '../../shared/domain/ids.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { aSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { checkOutWith, newCheckoutDeps } from '../support/baskets.ts';
import { callService } from '../support/call-service.ts';
import { phoneWith, readPass } from '../support/phone.ts';
import { givenSeatedEvent, givenSeats } from '../support/seats.ts';
import { type Service, shareService } from '../support/service.ts';
import { givenTickets } from '../support/tickets.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
const orgId = 'org_pushes';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

const call = (path: string, options?: { readonly method?: string; readonly body?: object }) =>
  callService(service, key, path, options);

let devices = 0;

/** A phone that has added the pass of a ticket. `follow` waits until it was pushed, and fetches what it is told has changed. */
async function givenPhone(ticketId: number, pushToken = `token${++devices}`) {
  const headers = { Authorization: `Bearer ${key}` };
  const pass = await readPass(await fetch(`${service.url}/v1/tickets/${ticketId}/apple_pass`, { headers }));
  const phone = phoneWith(pass, { deviceId: `device-of-${pushToken}`, pushToken });
  expect(await phone.register()).toBe(201);
  let since = (await phone.changes())?.lastUpdated;
  let pushed = 0;
  return {
    ...phone,
    pass,
    async follow() {
      const told = () => service.pushes.filter((token) => token === pushToken).length;
      await vi.waitFor(() => expect(told()).toBeGreaterThan(pushed), { timeout: 15_000, interval: 100 });
      pushed = told();
      const changes = await phone.changes(since);
      expect(changes?.serialNumbers).toEqual([pass.serialNumber]);
      since = changes?.lastUpdated;
      return readPass(await phone.fetch());
    },
  };
}

const Offer = v.looseObject({ transfer_id: v.string(), accept_token: v.string() });

describe('pushes to phones with Apple passes', () => {
  it('a moved event, another name, a transfer and a refund reach the phone, and only phones with such a pass', async () => {
    const { ticketId, placed, event } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const phone = await givenPhone(ticketId);
    const friend = await givenPhone(ticketId + 1);
    await call(`/v1/events/${event.eventId}`, {
      method: 'PATCH',
      body: { utc_event_start_date: '2035-05-05T18:00:00Z' },
    });
    expect(JSON.stringify(await phone.follow())).toContain('6 May 2035');
    expect(JSON.stringify(await friend.follow())).toContain('6 May 2035');
    const holder = { first_name: 'Grace', last_name: 'Hopper' };
    await call(`/v1/tickets/${ticketId}`, { method: 'PATCH', body: { holder } });
    expect(JSON.stringify(await phone.follow())).toContain('Grace Hopper');
    const offered = await call(`/v1/tickets/${ticketId}/transfers`, { body: { email: 'joan@example.com' } });
    const { transfer_id, accept_token } = v.parse(Offer, offered);
    await call(`/v1/transfers/${transfer_id}/accept`, {
      body: { accept_token, first_name: 'Joan', last_name: 'Clarke' },
    });
    expect(await phone.follow()).toMatchObject({ voided: true, barcodes: [] });
    const next = await givenPhone(ticketId);
    await call(`/v1/orders/${placed.orderId}/refunds`, { body: { ticket_ids: [ticketId] } });
    expect(await next.follow()).toMatchObject({ voided: true, barcodes: [] });
    expect(service.pushes.filter((token) => token === friend.pushToken)).toHaveLength(2);
  });

  it('another seat reaches the phone', async () => {
    const deps = { ...newCheckoutDeps(service.table), orgId };
    const map = aSeatMap([{ row: 'A', seats: '1-8' }]);
    const { price } = await givenSeatedEvent(service.table, orgId, { map, allowSingleSeats: true });
    const { basketId } = await givenSeats(deps, price, ['Stalls/A/1']);
    const order = await checkOutWith(deps, basketId);
    if (order.outcome !== 'confirmed') throw new Error(order.outcome);
    const [{ ticketId } = { ticketId: 0 }] = order.placed.tickets;
    const phone = await givenPhone(ticketId);
    await call(`/v1/orders/${basketId}/tickets/${ticketId}/seat`, { body: { seat: 'Stalls/A/7' } });
    expect(JSON.stringify(await phone.follow())).toContain('"value":"7"');
  });

  it('a moved event with more phones than a message takes reaches the last one', async () => {
    const { event } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const phones = Array.from({ length: 501 }, (_, index) => ({
      ...passDeviceKey(`crowd${index}`, `${orgId}.t.${index}.0`),
      by1pk: ticketPassesPartition(orgId, event.eventId),
      by1sk: idText(index),
      // One phone may have many passes: it is told once.
      push: index === 500 ? 'lastofcrowd' : 'crowd',
    }));
    await putItems(service.table, phones);
    const body = { utc_event_start_date: '2035-06-06T18:00:00Z' };
    await call(`/v1/events/${event.eventId}`, { method: 'PATCH', body });
    await vi.waitFor(() => expect(service.pushes).toContain('lastofcrowd'), { timeout: 15_000, interval: 100 });
    expect(service.pushes.filter((token) => token === 'crowd')).toHaveLength(1);
  });

  it('a phone that has deleted the pass is forgotten', async () => {
    const { ticketId } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const deleted = await givenPhone(ticketId, `${goneDevice}1`);
    const phone = await givenPhone(ticketId);
    const holder = { first_name: 'Grace', last_name: 'Hopper' };
    await call(`/v1/tickets/${ticketId}`, { method: 'PATCH', body: { holder } });
    await phone.follow();
    await vi.waitFor(async () => expect(await deleted.changes()).toBeUndefined(), { timeout: 15_000, interval: 100 });
  });
});
