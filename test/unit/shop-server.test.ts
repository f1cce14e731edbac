import { createHash } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startShop } from '../../examples/shop/server/shop.ts';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';

const options = {
  port: 0,
  // Nothing listens there: the pages are served anyway.
  apiUrl: 'http://127.0.0.1:9',
  orgId: 'org_shop',
  storefrontToken: 'gl_pub_shop',
  apiKey: 'gl_test_secret',
  identity: {
    fans: [{ id: 'ada', name: 'Ada', note: 'a fan' }],
    staff: [{ id: 'sam', name: 'Sam', note: 'staff' }],
    signIn: (account: string) => `token of ${account}`,
    issuer: 'https://login.example',
    audience: 'shop',
    keys: '{"keys":[]}',
  },
  now: () => 1_000,
};
let shop: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  shop = await startShop(options);
});
afterAll(() => shop?.stop());

const get = (path: string) => fetch(`${shop.url}${path}`);

describe('the server of the sample shop', () => {
  it('bundles the pages, and gives its secret keys to none of them', async () => {
    for (const path of ['/', '/events/7', '/gate', '/shop.js', '/config.json']) {
      const response = await get(path);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toContain(options.apiKey);
    }
    for (const path of ['/no-such-page', '/office', '/office.js']) expect((await get(path)).status).toBe(404);
    expect((await get('/')).headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  it('shows the frame of a page in the document, in the colour and the name of the organisation, without its script', async () => {
    const api = createServer((_request, response) =>
      response.end(JSON.stringify({ name: 'Rock <&> "Roll"', timezone: 'UTC', background_color: '#0b2545' })),
    );
    const apiUrl = `http://127.0.0.1:${await listen(api, 0)}`;
    const framed = await startShop({ ...options, apiUrl });
    // The first answer does not wait for the service; the next one knows it.
    await fetch(`${framed.url}/`);
    const response = await fetch(`${framed.url}/`);
    const html = await response.text();
    expect(html).toContain('<h1>Be there with Rock &lt;&amp;> &quot;Roll&quot;</h1>');
    expect(html).toContain('--brand:#0b2545');
    expect(html).not.toContain('"name":"Rock <');
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('Content-Security-Policy')).toContain(`style-src 'sha256-${hash}'`);
    await framed.stop();
    await closeServer(api);
  });

  it('tells its pages its time and the storefront token, and a gate token only on a demo', async () => {
    const known = { apiUrl: options.apiUrl, orgId: 'org_shop', storefrontToken: 'gl_pub_shop', nowMs: 1_000 };
    expect(await (await get('/config.json')).json()).toEqual({
      ...known,
      fans: options.identity.fans,
      staff: options.identity.staff,
      demoGateToken: null,
    });
  });

  it('signs in the accounts of its identity provider and no one else', async () => {
    const signIn = (account: string) =>
      fetch(`${shop.url}/sign-in`, { method: 'POST', body: JSON.stringify({ account }) });
    expect(await (await signIn('ada')).json()).toEqual({ name: 'Ada', token: 'token of ada' });
    expect((await signIn('eve')).ok).toBe(false);
  });

  it('refuses a webhook while it has no endpoint', async () => {
    expect((await fetch(`${shop.url}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(400);
  });

  it('does not answer to another name, so that a page of that name cannot read it', async () => {
    const { hostname, port } = new URL(shop.url);
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: `attacker.example:${port}` };
      httpRequest({ hostname, port, path: '/config.json', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });

  it('tells events to a gate token that the service knows, and not because the service refuses the shop itself', async () => {
    const start = new Date(2_000_000).toISOString();
    const events = { has_more: false, data: [{ event_id: '7', event_status_id: '1', utc_event_start_date: start }] };
    let refusal = '';
    let keyRequests = 0;
    const api = createServer((request, response) => {
      if (request.headers.authorization === `Bearer ${options.apiKey}`) {
        keyRequests += 1;
        return void response.end(JSON.stringify(events));
      }
      // A gate token may not read the organisation; only the list of the event says whose gate it is.
      const isKnown = refusal.includes('gate_not_allowed') && request.url === '/v1/organisation';
      response.writeHead(403).end(isKnown ? '{"error":{"code":"gate_token_not_allowed"}}' : refusal);
    });
    const apiUrl = `http://127.0.0.1:${await listen(api, 0)}`;
    const guarded = await startShop({ ...options, apiUrl });
    const ask = async (answer: string) => {
      refusal = answer;
      return (await fetch(`${guarded.url}/gate/events`, { headers: { Authorization: 'Bearer gl_gate_made_up' } }))
        .status;
    };
    // The firewall refuses an address with too many requests, whatever their token.
    expect(await ask('{"message":"Forbidden"}')).toBe(401);
    expect(await ask('<html>')).toBe(401);
    // Nor does it cost a request of the shop's own.
    expect(keyRequests).toBe(0);
    expect(await ask('{"error":{"code":"gate_not_allowed"}}')).toBe(200);
    await guarded.stop();
    await closeServer(api);
  });

  it('gives no link of a ticket whose code its basket does not show: somebody else may have it', async () => {
    const tickets = [
      { ticket_id: 1, barcode: 'T1' },
      { ticket_id: 2, barcode: null },
      // It is given away between the two questions.
      { ticket_id: 3, barcode: 'T3' },
    ];
    const api = createServer((request, response) => {
      const isBasket = request.url === '/v1/baskets/5';
      const barcode = request.url === '/v1/tickets/1' ? 'T1' : 'another';
      const ticket = { barcode, link: `https://api.example${request.url}` };
      response.end(JSON.stringify(isBasket ? { order: { tickets } } : ticket));
    });
    const apiUrl = `http://127.0.0.1:${await listen(api, 0)}`;
    const asking = await startShop({ ...options, apiUrl });
    const body = JSON.stringify({ basket_id: 5, basket_token: 'bt' });
    const links = await (await fetch(`${asking.url}/ticket-links`, { method: 'POST', body })).json();
    expect(links).toEqual({ 1: 'https://api.example/v1/tickets/1' });
    await asking.stop();
    await closeServer(api);
  });

  it('uses another port if its own is taken', async () => {
    const other = createServer();
    const taken = await listen(other, 0);
    const second = await startShop({ ...options, port: taken });
    expect(new URL(second.url).port).not.toBe(String(taken));
    expect((await fetch(`${second.url}/config.json`)).status).toBe(200);
    await second.stop();
    await closeServer(other);
  });
});
