import { createSecureServer } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAppleAccount } from '../../local/run/local-wallets.ts';
import { pushConnection } from '../../shared/documents/apple-push.ts';
import { passesChangedBy } from '../../shared/documents/push-changes.ts';

const account = testAppleAccount();
const seen: object[] = [];

/** A push service that demands the certificate of the pass type, as Apple's does. The path's last part is the response. */
const server = createSecureServer(
  {
    cert: account.certificate,
    key: account.private_key,
    ca: account.authority,
    requestCert: true,
    rejectUnauthorized: true,
  },
  (request, response) => {
    const socket = request.stream.session?.socket as TLSSocket;
    const [status = '', reason = ''] = decodeURIComponent(request.url.split('/').at(-1) ?? '').split('_');
    let body = '';
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const topic = request.headers['apns-topic'];
      seen.push({ topic, body, client: socket.getPeerCertificate().subject.OU, path: request.url });
      response.writeHead(Number(status)).end(JSON.stringify({ reason }));
    });
  },
);
let connections = 0;
server.on('session', () => {
  connections += 1;
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  address = `https://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
});
afterAll(() => void server.close());

const open = (to = address) =>
  pushConnection(account, to, { ca: account.authority, checkServerIdentity: () => undefined });

describe("Apple's push service", () => {
  it('is called with the certificate of the pass type, its topic and an empty body', async () => {
    const connection = open();
    expect(await connection.push('200')).toEqual({ outcome: 'accepted' });
    connection.close();
    expect(seen).toEqual([{ topic: account.pass_type_id, body: '{}', client: account.team_id, path: '/3/device/200' }]);
  });

  it.each([
    ['410_Unregistered', 'gone'],
    ['400_BadDeviceToken', 'gone'],
    ['400_DeviceTokenNotForTopic', 'gone'],
    ['400_BadTopic', 'failed'],
    ['403_BadCertificate', 'failed'],
    ['429_TooManyRequests', 'failed'],
    ['503_Shutdown', 'failed'],
  ])('answers %s, and the outcome is %s', async (token, outcome) => {
    const connection = open();
    expect(await connection.push(token)).toMatchObject({ outcome });
    connection.close();
  });

  it('is connected again after the connection has ended, and not for each push', async () => {
    const connection = open();
    const before = connections;
    for (const token of ['200', '200', '410']) await connection.push(token);
    expect(connections - before).toBe(1);
    connection.close();
    expect(await connection.push('200')).toEqual({ outcome: 'accepted' });
    expect(connections - before).toBe(2);
    connection.close();
  });

  it('a connection that cannot be made fails every push and nothing else', async () => {
    const connection = open('https://127.0.0.1:1');
    const refused = { outcome: 'failed', reason: expect.stringContaining('ECONNREFUSED') };
    expect(await Promise.all([connection.push('200'), connection.push('200')])).toEqual([refused, refused]);
    expect(await connection.push('200')).toEqual(refused);
    connection.close();
  });
});

describe('the passes that an event of the feed changes', () => {
  const of = (data: object) => passesChangedBy(JSON.stringify({ org_id: 'org_club', data }));
  const [all, event] = [{ fromId: 0, toId: Number.MAX_SAFE_INTEGER }, { event_id: '12' }];

  it.each([
    ['a ticket', { event_id: '12', ticket: { ticket_id: 129 } }, { eventId: 12, fromId: 129, toId: 129 }],
    ['an order', { order: { order_id: 128, event_id: '12' } }, { eventId: 12, fromId: 128, toId: 191 }],
    ['a moved event', { event, changed: ['utc_event_start_date'] }, { eventId: 12, ...all }],
    ['a member', { member: { membership_member_id: 7 } }, { eventId: null, fromId: 7, toId: 7 }],
  ])('%s', (_what, data, range) => {
    expect(of(data)).toEqual({ orgId: 'org_club', ...range });
  });

  it('none for what no pass shows', () => {
    expect(of({ event, changed: ['sales_end'] })).toBeUndefined();
    expect(of({ event, reason: null })).toBeUndefined();
    expect(of({ order: { order_id: 128, event_id: null } })).toBeUndefined();
  });
});
