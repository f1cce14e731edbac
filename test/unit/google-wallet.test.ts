import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen, loopback } from '../../local/cloud/http/listen.ts';
import { testGoogleAccount } from '../../local/run/local-wallets.ts';
import { openGoogleWallet } from '../../shared/documents/google-wallet.ts';

const account = testGoogleAccount();
const nowUnix = 1_794_000_000;

const requests: { method: string | undefined; url: string | undefined; bearer: string | undefined; body: string }[] =
  [];
/** What Google answers to the next changes; 200 after them. */
let statuses: number[] = [];

const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  requests.push({ method, url, bearer: headers.authorization, body: await text(request) });
  if (url === '/token') return response.end(JSON.stringify({ access_token: 'secret', expires_in: 3_599 }));
  return response.writeHead(statuses.shift() ?? 200).end('{}');
});
let address = '';

beforeAll(async () => {
  address = `http://${loopback}:${await listen(server, 0)}`;
});
afterAll(() => closeServer(server));
beforeEach(() => {
  requests.length = 0;
  statuses = [];
});

const open = (now = nowUnix, as = account) => openGoogleWallet(as, now, { address, busyPausesMs: [1, 1] });
const changes = () => requests.filter(({ url }) => url !== '/token');
const object = { id: '3388.org_club.t65-0', state: 'INACTIVE' };

describe("Google's Wallet API", () => {
  it('gives the service account a token for a JWT that its key has signed, and takes changes with it', async () => {
    const wallet = await open(nowUnix, testGoogleAccount());
    const other = await open();
    const form = new URLSearchParams(requests[1]?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const key = createPublicKey(account.private_key);
    expect(
      verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')),
      'by the key of this account, and not by the one of the account before',
    ).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))).toEqual({
      iss: account.client_email,
      scope: 'https://www.googleapis.com/auth/wallet_object.issuer',
      aud: 'https://oauth2.googleapis.com/token',
      iat: nowUnix,
      exp: nowUnix + 3_600,
    });
    for (const each of [wallet, other]) expect(await each.replace('eventTicketObject', object)).toBe('replaced');
    expect(changes()[0]).toEqual({
      method: 'PUT',
      url: `/walletobjects/v1/eventTicketObject/${object.id}`,
      bearer: 'Bearer secret',
      body: JSON.stringify(object),
    });
  });

  it('is asked for a token again only when it is about to end, or was refused', async () => {
    await open(nowUnix + 86_400);
    await open(nowUnix + 86_400 + 3_000);
    expect(requests).toHaveLength(1);
    const wallet = await open(nowUnix + 86_400 + 3_590);
    expect(requests).toHaveLength(2);
    statuses = [401];
    await expect(wallet.replace('eventTicketObject', object)).rejects.toThrow('401');
    await open(nowUnix + 86_400 + 3_590);
    expect(requests.filter(({ url }) => url === '/token')).toHaveLength(3);
  });

  it('knows no pass that nobody has saved', async () => {
    statuses = [404];
    expect(await (await open()).replace('genericObject', object)).toBe('unknown');
  });

  it('is asked again after a pause when it has too many requests, and then the change fails', async () => {
    statuses = [429, 429];
    expect(await (await open()).replace('eventTicketClass', object)).toBe('replaced');
    expect(changes()).toHaveLength(3);
    statuses = [429, 429, 429];
    await expect((await open()).replace('eventTicketClass', object)).rejects.toThrow('429');
  });

  it.each([400, 403, 500, 503])('fails a change with %d, so that its message comes back', async (status) => {
    statuses = [status];
    await expect((await open()).replace('eventTicketObject', object)).rejects.toThrow(String(status));
    expect(changes()).toHaveLength(1);
  });
});
