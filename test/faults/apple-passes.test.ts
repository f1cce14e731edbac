import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  linkKeyVersionOf,
  readOrganisation,
  updateOrganisation,
} from '../../shared/data/organisations/organisation.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { phoneWith, readPass } from '../support/phone.ts';
import { type Service, shareService } from '../support/service.ts';
import { givenTickets } from '../support/tickets.ts';

const orgId = 'org_passes';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  });

describe("Apple's web service for passes", () => {
  it('a device registers, learns of every change, fetches the pass, and unregisters', async () => {
    const { ticketId, barcode, event } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await readPass(await api(`/v1/tickets/${ticketId}/apple_pass`));
    expect(pass.barcodes).toMatchObject([{ message: barcode }]);
    const phone = phoneWith(pass);
    expect(await phone.changes()).toBeUndefined();
    expect([await phone.register(), await phone.register()]).toEqual([201, 200]);
    const first = await phone.changes();
    expect(first?.serialNumbers).toEqual([pass.serialNumber]);
    expect(await phone.changes(first?.lastUpdated)).toBeUndefined();

    const date = (await phone.fetch()).headers.get('Last-Modified');
    const unchanged = await phone.fetch(date);
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);

    const holder = JSON.stringify({ holder: { first_name: 'Grace', last_name: 'Hopper' } });
    const renamed = await api(`/v1/tickets/${ticketId}`, { method: 'PATCH', body: holder });
    expect(renamed.status, await renamed.text()).toBe(200);
    const named = await phone.changes(first?.lastUpdated);
    expect(named?.serialNumbers).toEqual([pass.serialNumber]);
    expect(JSON.stringify(await readPass(await phone.fetch(date)))).toContain('Grace Hopper');

    const start = JSON.stringify({ utc_event_start_date: '2035-05-05T18:00:00Z' });
    const updated = await api(`/v1/events/${event.eventId}`, { method: 'PATCH', body: start });
    expect(updated.status, await updated.text()).toBe(200);
    const moved = await phone.changes(named?.lastUpdated);
    expect(moved?.serialNumbers).toEqual([pass.serialNumber]);
    expect(JSON.stringify(await readPass(await phone.fetch()))).toContain('6 May 2035');

    const offered = await api(`/v1/tickets/${ticketId}/transfers`, {
      method: 'POST',
      body: '{"email":"joan@example.com"}',
    });
    const { transfer_id, accept_token } = v.parse(Offer, await offered.json());
    const accepted = JSON.stringify({ accept_token, first_name: 'Joan', last_name: 'Clarke' });
    await api(`/v1/transfers/${transfer_id}/accept`, { method: 'POST', body: accepted });
    expect((await phone.changes(moved?.lastUpdated))?.serialNumbers).toEqual([pass.serialNumber]);
    const gone = await readPass(await phone.fetch());
    expect(gone).toMatchObject({ serialNumber: pass.serialNumber, voided: true, barcodes: [] });
    expect(JSON.stringify(gone)).not.toMatch(/Grace|Joan/);
    expect((await readPass(await api(`/v1/tickets/${ticketId}/apple_pass`))).serialNumber).not.toBe(pass.serialNumber);

    expect(await phone.unregister()).toBe(200);
    expect(await phone.changes()).toBeUndefined();
  });

  it('names the address of the stage, whatever Host a request claims', async () => {
    const { ticketId } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await readPass(await withHost('evil.example', `/v1/tickets/${ticketId}/apple_pass`, `Bearer ${key}`));
    expect(pass.webServiceURL).toBe(`${service.url}/v1/apple`);
    const path = `/v1/apple/v1/passes/${pass.passTypeIdentifier}/${pass.serialNumber}`;
    const fetched = await readPass(await withHost('evil.example', path, `ApplePass ${pass.authenticationToken}`));
    expect(fetched.webServiceURL).toBe(`${service.url}/v1/apple`);
  });

  it('ends the tokens of all passes with the links of the organisation; a new download has a new one', async () => {
    const { ticketId } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await readPass(await api(`/v1/tickets/${ticketId}/apple_pass`));
    const phone = phoneWith(pass);
    expect(await phone.register()).toBe(201);
    const organisation = await readOrganisation(service.table, orgId);
    await updateOrganisation(service.table, orgId, { linkKeyVersion: linkKeyVersionOf(organisation ?? {}) + 1 });
    expect([await phone.register(), await phone.unregister(), (await phone.fetch()).status]).toEqual([401, 401, 401]);
    const again = await readPass(await api(`/v1/tickets/${ticketId}/apple_pass`));
    expect(again.serialNumber).toBe(pass.serialNumber);
    const after = phoneWith(again);
    expect([await after.register(), (await readPass(await after.fetch())).authenticationToken]).toEqual([
      200,
      again.authenticationToken,
    ]);
    expect(await after.unregister()).toBe(200);
  });

  it('a refunded ticket is void on the device, and has no pass to download', async () => {
    const given = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await readPass(await api(`/v1/tickets/${given.ticketId}/apple_pass`));
    const phone = phoneWith(pass);
    await phone.register();
    const first = await phone.changes();
    await given.refund();
    expect((await phone.changes(first?.lastUpdated))?.serialNumbers).toEqual([pass.serialNumber]);
    const refunded = await readPass(await phone.fetch());
    expect(refunded).toMatchObject({ serialNumber: pass.serialNumber, voided: true, barcodes: [] });
    expect(JSON.stringify(refunded)).not.toContain('Ada');
    expect((await api(`/v1/tickets/${given.ticketId}/apple_pass`)).status).toBe(409);
    await phone.unregister();
  });

  it('refuses a wrong token, a wrong serial number and a body without a push token', async () => {
    const { ticketId } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await readPass(await api(`/v1/tickets/${ticketId}/apple_pass`));
    const token = `${pass.authenticationToken.slice(0, -1)}${pass.authenticationToken.endsWith('A') ? 'B' : 'A'}`;
    const stranger = phoneWith(pass, { token });
    expect([await stranger.register(), await stranger.unregister(), (await stranger.fetch()).status]).toEqual([
      401, 401, 401,
    ]);
    const other = phoneWith({ ...pass, serialNumber: pass.serialNumber.replace(/\d$/, '1') });
    expect([await other.register(), (await other.fetch()).status]).toEqual([401, 401]);
    expect(await phoneWith(pass).register('{}')).toBe(400);
    expect(await phoneWith(pass).changes()).toBeUndefined();
    const logged = await fetch(`${pass.webServiceURL}/v1/log`, { method: 'POST', body: '{"logs":["Bad pass"]}' });
    expect(logged.status).toBe(200);
  });
});

const Offer = v.looseObject({ transfer_id: v.string(), accept_token: v.string() });

/** A request that claims to be for another host, which fetch does not send. */
async function withHost(host: string, path: string, authorization: string): Promise<Response> {
  const { hostname, port } = new URL(service.url);
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  request({ hostname, port, path, headers: { Host: host, Authorization: authorization } }, async (response) => {
    const type = response.headers['content-type'] ?? '';
    const body = new Uint8Array(await buffer(response));
    resolve(new Response(body, { status: response.statusCode ?? 0, headers: { 'Content-Type': type } }));
  })
    .on('error', reject)
    .end();
  return promise;
}
