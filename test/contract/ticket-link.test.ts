import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NewOrder } from '../../shared/domain/orders/order.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { type Service, shareService } from '../support/service.ts';
import { givenTickets } from '../support/tickets.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
const orgId = 'org_linked';

let service: Service;
let key: string;
let ticketId: number;
let barcode: string;
let placed: NewOrder;
let token: string;

const Ticket = v.looseObject({ link: v.string() });

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
  ({ ticketId, barcode, placed } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix }));
  const { link } = v.parse(Ticket, (await service.call(`/v1/tickets/${ticketId}`, { key })).body);
  token = new URL(link).searchParams.get('token') ?? '';
});
afterAll(() => service.stop());

const at = (name: string, text = token, id = ticketId) =>
  fetch(`${service.url}/v1/tickets/${id}/${name}?token=${encodeURIComponent(text)}`);

/** The token with one character changed. */
const changed = (index: number) =>
  token.slice(0, index) + (token.charAt(index) === '1' ? '2' : '1') + token.slice(index + 1);

describe('the link of a ticket, without a key', () => {
  it('shows the ticket, is kept nowhere, and leads to its three documents', async () => {
    const page = await at('page');
    expect(page.status).toBe(200);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    const shown = await page.text();
    expect(shown).toContain(barcode);
    for (const address of [`pdf?token=${token}`, `apple_pass?token=${token}`, 'https://pay.google.com/gp/v/save/'])
      expect(shown).toContain(`href="${address}`);
    expect((await at('google_pass')).status).toBe(200);
  });

  it('with one character changed, or for another ticket, shows nothing', async () => {
    for (const index of [token.indexOf('_') + 1, token.length - 50, token.length - 1]) {
      const page = await at('page', changed(index));
      expect(page.status).toBe(404);
      expect(await page.text()).not.toContain(barcode);
      for (const name of ['pdf', 'apple_pass', 'google_pass']) {
        const refused = await at(name, changed(index));
        expect([refused.status, await refused.json()], name).toMatchObject([401, { error: { code: 'link_invalid' } }]);
      }
    }
    expect((await at('page', token, ticketId + 1)).status).toBe(404);
    expect((await at('pdf', token, ticketId + 1)).status).toBe(404);
  });

  it('is in no log', () => {
    expect(service.logs.join('\n')).not.toContain(token.slice(-43));
  });
});

describe('the link of an order, without a key', () => {
  it('shows every ticket with its documents, and nothing with one character changed', async () => {
    const orderId = placed.orderId;
    const { link } = v.parse(Ticket, (await service.call(`/v1/orders/${orderId}`, { key })).body);
    const page = await fetch(link);
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    const shown = await page.text();
    const addresses = [...shown.matchAll(/href="([^"]*\/pdf\?[^"]*)"/g)].map(
      ([, address = '']) => new URL(address, link),
    );
    expect(addresses).toHaveLength(placed.tickets.length);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    expect((await fetch(`${link.slice(0, -1)}${link.endsWith('1') ? '2' : '1'}`)).status).toBe(404);
    expect((await fetch(link.replace(`/orders/${orderId}/`, `/orders/${orderId + 1}/`))).status).toBe(404);
    expect(service.logs.join('\n')).not.toContain(link.slice(-43));
  });
});

describe('what is refused names its parameter, and changes nothing', () => {
  it.each([
    ['an address with a line break', 'transfers', { email: 'a@b.example\nBcc: all@example.com' }, 'email'],
    ['the address of the buyer', 'transfers', { email: 'ada@example.com' }, 'email'],
    ['a name of 300 characters', '', { holder: { first_name: 'a'.repeat(300), last_name: 'b' } }, 'holder.first_name'],
    ['a right-to-left mark', '', { holder: { first_name: 'Ada\u200F', last_name: 'b' } }, 'holder.first_name'],
  ])('%s', async (_what, below, body, param) => {
    const path = `/v1/tickets/${ticketId}`;
    const before = (await service.call(path, { key })).body;
    const refused = await service.call(below === '' ? path : `${path}/${below}`, {
      method: below === '' ? 'PATCH' : 'POST',
      key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param } } });
    expect((await service.call(path, { key })).body).toEqual(before);
  });
});
