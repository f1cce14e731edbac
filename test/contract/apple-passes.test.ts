import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { type Service, shareService } from '../support/service.ts';
import { givenTickets } from '../support/tickets.ts';

const orgId = 'org_passes';
const deviceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const folder = mkdtempSync(join(tmpdir(), 'gateline-device-'));

let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId], { schedules: 'off' });
  key = await service.newKey(orgId);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const Pass = v.looseObject({
  serialNumber: v.string(),
  passTypeIdentifier: v.string(),
  webServiceURL: v.string(),
  authenticationToken: v.string(),
  voided: v.optional(v.boolean(), false),
  barcodes: v.optional(v.array(v.looseObject({ message: v.string() })), []),
});
type Pass = v.InferOutput<typeof Pass>;

let passes = 0;

/** The content of a downloaded pass, unpacked by unzip. */
async function read(response: Response): Promise<Pass> {
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/vnd.apple.pkpass');
  const place = join(folder, String(++passes));
  writeFileSync(`${place}.pkpass`, Buffer.from(await response.arrayBuffer()));
  execFileSync('unzip', ['-q', `${place}.pkpass`, '-d', place]);
  return v.parse(Pass, JSON.parse(readFileSync(join(place, 'pass.json'), 'utf8')));
}

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  });

/** What a phone does with a pass, at the address that the pass names. */
function device(pass: Pass, token = pass.authenticationToken) {
  const { webServiceURL, passTypeIdentifier, serialNumber } = pass;
  const list = `${webServiceURL}/v1/devices/${deviceId}/registrations/${passTypeIdentifier}`;
  const headers = { Authorization: `ApplePass ${token}` };
  return {
    register: async (body = '{"pushToken":"abcdef0123456789"}') =>
      (await fetch(`${list}/${serialNumber}`, { method: 'POST', headers, body })).status,
    unregister: async () => (await fetch(`${list}/${serialNumber}`, { method: 'DELETE', headers })).status,
    changes: async (since?: string) => {
      const response = await fetch(since === undefined ? list : `${list}?passesUpdatedSince=${since}`);
      return response.status === 204 ? undefined : v.parse(Changes, await response.json());
    },
    fetch: () => fetch(`${webServiceURL}/v1/passes/${passTypeIdentifier}/${serialNumber}`, { headers }),
  };
}

const Changes = v.object({ serialNumbers: v.array(v.string()), lastUpdated: v.string() });

describe("Apple's web service for passes", () => {
  it('a device registers, learns of every change, fetches the pass, and unregisters', async () => {
    const { ticketId, barcode, event } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await read(await api(`/v1/tickets/${ticketId}/apple_pass`));
    expect(pass.barcodes).toMatchObject([{ message: barcode }]);
    const phone = device(pass);
    expect(await phone.changes()).toBeUndefined();
    expect([await phone.register(), await phone.register()]).toEqual([201, 200]);
    const first = await phone.changes();
    expect(first?.serialNumbers).toEqual([pass.serialNumber]);
    expect(await phone.changes(first?.lastUpdated)).toBeUndefined();

    const holder = JSON.stringify({ holder: { first_name: 'Grace', last_name: 'Hopper' } });
    const renamed = await api(`/v1/tickets/${ticketId}`, { method: 'PATCH', body: holder });
    expect(renamed.status, await renamed.text()).toBe(200);
    const named = await phone.changes(first?.lastUpdated);
    expect(named?.serialNumbers).toEqual([pass.serialNumber]);
    expect(JSON.stringify(await read(await phone.fetch()))).toContain('Grace Hopper');

    const start = JSON.stringify({ title: 'Moved' });
    const updated = await api(`/v1/events/${event.eventId}`, { method: 'PATCH', body: start });
    expect(updated.status, await updated.text()).toBe(200);
    const moved = await phone.changes(named?.lastUpdated);
    expect(moved?.serialNumbers).toEqual([pass.serialNumber]);
    expect(JSON.stringify(await read(await phone.fetch()))).toContain('Moved');

    const offered = await api(`/v1/tickets/${ticketId}/transfers`, {
      method: 'POST',
      body: '{"email":"joan@example.com"}',
    });
    const { transfer_id, accept_token } = v.parse(Offer, await offered.json());
    const accepted = JSON.stringify({ accept_token, first_name: 'Joan', last_name: 'Clarke' });
    await api(`/v1/transfers/${transfer_id}/accept`, { method: 'POST', body: accepted });
    expect((await phone.changes(moved?.lastUpdated))?.serialNumbers).toEqual([pass.serialNumber]);
    const gone = await read(await phone.fetch());
    expect(gone).toMatchObject({ serialNumber: pass.serialNumber, voided: true, barcodes: [] });
    expect(JSON.stringify(gone)).not.toMatch(/Grace|Joan/);
    expect((await read(await api(`/v1/tickets/${ticketId}/apple_pass`))).serialNumber).not.toBe(pass.serialNumber);

    expect(await phone.unregister()).toBe(200);
    expect(await phone.changes()).toBeUndefined();
  });

  it('a refunded ticket is void on the device, and has no pass to download', async () => {
    const given = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await read(await api(`/v1/tickets/${given.ticketId}/apple_pass`));
    const phone = device(pass);
    await phone.register();
    const first = await phone.changes();
    await given.refund();
    expect((await phone.changes(first?.lastUpdated))?.serialNumbers).toEqual([pass.serialNumber]);
    const refunded = await read(await phone.fetch());
    expect(refunded).toMatchObject({ serialNumber: pass.serialNumber, voided: true, barcodes: [] });
    expect(JSON.stringify(refunded)).not.toContain('Ada');
    expect((await api(`/v1/tickets/${given.ticketId}/apple_pass`)).status).toBe(409);
    await phone.unregister();
  });

  it('refuses a wrong token, a wrong serial number and a body without a push token', async () => {
    const { ticketId } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const pass = await read(await api(`/v1/tickets/${ticketId}/apple_pass`));
    const stranger = device(
      pass,
      `${pass.authenticationToken.slice(0, -1)}${pass.authenticationToken.endsWith('A') ? 'B' : 'A'}`,
    );
    expect([await stranger.register(), await stranger.unregister(), (await stranger.fetch()).status]).toEqual([
      401, 401, 401,
    ]);
    const other = device({ ...pass, serialNumber: pass.serialNumber.replace(/\d$/, '1') });
    expect([await other.register(), (await other.fetch()).status]).toEqual([401, 401]);
    expect(await device(pass).register('{}')).toBe(400);
    expect(await device(pass).changes()).toBeUndefined();
    const logged = await fetch(`${pass.webServiceURL}/v1/log`, { method: 'POST', body: '{"logs":["Bad pass"]}' });
    expect(logged.status).toBe(200);
  });
});

const Offer = v.looseObject({ transfer_id: v.string(), accept_token: v.string() });
