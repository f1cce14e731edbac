import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOffice } from '../../examples/office/server/office.ts';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';

const issuer = 'https://login.example';
const audience = 'shop';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
const hour = 3_600_000;
let nowMs: number;

function tokenOf(changes: Readonly<Record<string, unknown>> = {}, key: KeyObject = privateKey): string {
  const nowUnix = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 's1',
    exp: nowUnix + 60,
    name: 'Sam',
    groups: ['staff'],
    ...changes,
  };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encoded({ alg: 'ES256', typ: 'JWT', kid: 'k1' })}.${encoded(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const soldTicket = {
  ticket_id: 1,
  ticket_status_id: 1,
  ticket_name: 'Ada',
  section_label: 'Stalls',
  seat_row: 'C',
  seat_title: '7',
};

/** Takes the part of the API, and keeps what it is asked. */
const asked: { readonly request: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
const api = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    asked.push({ request: `${request.method} ${request.url}`, headers: request.headers, body });
    if (request.url?.includes('/tickets')) response.end(JSON.stringify({ data: [soldTicket], next_cursor: null }));
    else response.writeHead(412, { 'Retry-After': '3' }).end('{"error":{"code":"version_conflict"}}');
  });
});
let office: Awaited<ReturnType<typeof startOffice>>;

beforeAll(async () => {
  office = await startOffice({
    port: 0,
    apiUrl: `http://127.0.0.1:${await listen(api, 0)}`,
    orgId: 'org_shop',
    storefrontToken: 'gl_pub_shop',
    officeKey: 'gl_test_office',
    identity: { fans: [], staff: [], signIn: () => '', issuer, audience, keys: JSON.stringify({ keys: [jwk] }) },
    now: () => nowMs,
  });
});
afterAll(async () => {
  await office?.stop();
  await closeServer(api);
});
beforeEach(() => {
  nowMs = Date.now();
  asked.length = 0;
});

interface Sent {
  readonly body?: string;
  readonly cookie?: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(method: string, path: string, { body, cookie, origin = office.url, headers = {} }: Sent = {}) {
  const response = await fetch(office.url + path, {
    method,
    headers: { ...headers, ...(method !== 'GET' && { Origin: origin }), ...(cookie && { Cookie: cookie }) },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const signIn = (token: string, origin?: string) =>
  send('POST', '/office/session', { body: token, ...(origin && { origin }) });

async function session(): Promise<string> {
  const { headers } = await signIn(tokenOf());
  return headers.get('Set-Cookie')?.split(';')[0] ?? '';
}

describe('the server of the office', () => {
  it('bundles the pages, and gives its key to none of them', async () => {
    for (const path of ['/office', '/office/events/7', '/office.js', '/config.json']) {
      const response = await fetch(office.url + path);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toContain('gl_test_office');
    }
    for (const path of ['/', '/gate', '/shop.js']) expect((await fetch(office.url + path)).status).toBe(404);
  });
});

describe('the sign-in of the office', () => {
  it('opens a session for staff, in a cookie that no script and no other site can use', async () => {
    const { status, body, headers } = await signIn(tokenOf());
    expect([status, body]).toEqual([200, { name: 'Sam' }]);
    expect(headers.get('Set-Cookie')).toMatch(/^office_org_shop=[\w-]{43}; Path=\/office; HttpOnly; SameSite=Strict$/);
    expect((await send('GET', '/office/session', { cookie: await session() })).body).toEqual({ name: 'Sam' });
  });

  it('refuses a fan with 403', async () => {
    for (const groups of [undefined, [], ['fans'], 'staff', { staff: true }]) {
      const { status, body, headers } = await signIn(tokenOf({ groups }));
      expect([status, body.error.code]).toEqual([403, 'not_staff']);
      expect(headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('refuses a token of another key, issuer or audience, one that has ended and one that never ends', async () => {
    const [head, , signature] = tokenOf().split('.');
    const claims = Buffer.from(JSON.stringify({ iss: issuer, aud: audience, groups: ['staff'] })).toString('base64url');
    const tokens = [
      'no token',
      `${head}.${claims}.${signature}`,
      tokenOf({}, stranger),
      tokenOf({ iss: 'https://login.attacker.example' }),
      tokenOf({ aud: 'another shop' }),
      tokenOf({ exp: 1 }),
      tokenOf({ exp: undefined }),
    ];
    for (const token of tokens) expect((await signIn(token)).body.error?.code).toBe('token_invalid');
  });
});

describe('a session of the office', () => {
  it('ends after eight hours, and when the person signs out', async () => {
    const cookie = await session();
    nowMs += 8 * hour - 1;
    expect((await send('GET', '/office/session', { cookie })).status).toBe(200);
    nowMs += 1;
    expect((await send('GET', '/office/session', { cookie })).status).toBe(401);
    const another = await session();
    await send('DELETE', '/office/session', { cookie: another });
    expect((await send('GET', '/office/session', { cookie: another })).status).toBe(401);
  });

  it('is needed for every call, and nothing reaches the API without it', async () => {
    for (const cookie of ['', 'office_org_shop=', 'office_org_shop=guessed', 'other=1']) {
      const { status, body } = await send('GET', '/office/api/v1/events', { cookie });
      expect([status, body.error.code]).toEqual([401, 'not_signed_in']);
    }
    expect(asked).toEqual([]);
  });

  it('does not help a page of another site, which cannot change or sign in', async () => {
    const cookie = await session();
    for (const origin of ['https://attacker.example', 'null', office.url.replace(/:\d+$/, ':1')]) {
      expect((await send('POST', '/office/api/v1/events', { cookie, origin, body: '{}' })).status).toBe(403);
      expect((await signIn(tokenOf(), origin)).status).toBe(403);
    }
    expect(
      (await fetch(`${office.url}/office/api/v1/events`, { method: 'POST', headers: { Cookie: cookie } })).status,
    ).toBe(403);
    expect(asked).toEqual([]);
  });
});

describe('a call of the office', () => {
  it('goes to the API with the key of the office, and its answer comes back as it is', async () => {
    const headers = { 'If-Match': '"3"', 'Idempotency-Key': 'k', Authorization: 'Bearer mine', 'X-SSO-Token': 'x' };
    const sent = { cookie: await session(), body: '{"title":"Derby"}', headers };
    const { status, body, headers: answered } = await send('PATCH', '/office/api/v1/events/7?dry_run=true', sent);
    expect([status, body, answered.get('Retry-After')]).toEqual([412, { error: { code: 'version_conflict' } }, '3']);
    expect(asked).toMatchObject([
      {
        request: 'PATCH /v1/events/7?dry_run=true',
        body: sent.body,
        headers: { authorization: 'Bearer gl_test_office', 'if-match': '"3"', 'idempotency-key': 'k' },
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('x-sso-token');
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
  });

  it.each([
    [
      '/v1/baskets/7/checkout',
      { tender: { kind: 'cash', operator: 'Eve' } },
      { tender: { kind: 'cash', operator: 's1' } },
    ],
    ['/v1/orders/7/payments', { amount: 5, kind: 'cash' }, { amount: 5, kind: 'cash', operator: 's1' }],
    ['/v1/orders/7/refunds', { returned_by: 'cash', operator: 'Eve' }, { returned_by: 'cash', operator: 's1' }],
    ['/v1/orders/7/refunds', { reason: 'Ill' }, { reason: 'Ill' }],
    ['/v1/orders/7/refunds/7-1/return', { returned_by: 'cash' }, { returned_by: 'cash', operator: 's1' }],
    ['/v1/baskets/7/checkout', { payment_method: 'pm_1' }, { payment_method: 'pm_1' }],
  ])('says who is signed in of money that is taken or returned by hand: %s', async (path, sent, passed) => {
    await send('POST', `/office/api${path}`, { cookie: await session(), body: JSON.stringify(sent) });
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([passed]);
  });

  it('leaves a body that is no JSON to the API, which refuses it', async () => {
    await send('POST', '/office/api/v1/orders/7/payments', { cookie: await session(), body: '{' });
    expect(asked).toMatchObject([{ body: '{' }]);
  });

  it('shows which seats of an event are sold, and nobody who sits there', async () => {
    const { body } = await send('GET', '/office/api/v1/events/7/tickets', { cookie: await session() });
    expect(body).toEqual({ data: ['Stalls/C/7'], next_cursor: null });
  });

  it('reaches no operation that the office does not offer', async () => {
    const cookie = await session();
    const paths = [
      '/v1/events/7/orders',
      '/v1/events/7/scans',
      '/v1/events/7/settlement',
      '/v1/journal_entries',
      '/v1/webhook_endpoints',
      '/v1/events/7/../../v1/journal_entries',
      '/v1/events/%2e%2e/journal_entries',
    ];
    for (const path of paths) expect((await send('GET', `/office/api${path}`, { cookie })).status, path).toBe(404);
    for (const path of ['/v1/members/7/cancel', '/v1/members', '/v1/tickets/7/transfer']) {
      expect((await send('POST', `/office/api${path}`, { cookie, body: '{}' })).status, path).toBe(404);
    }
    expect((await send('DELETE', '/office/api/v1/events/7', { cookie })).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
