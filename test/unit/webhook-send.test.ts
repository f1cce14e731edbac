import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluateReply } from '../../shared/domain/webhooks/evaluate-reply.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { createSend, type SendOptions } from '../../shared/webhooks/send.ts';
import { forbiddenAddresses, forbiddenUrls } from '../support/webhooks/forbidden-addresses.ts';
import { hang, type Receiver, respondWith, startReceiver } from '../support/webhooks/receiver.ts';

const quick = { connectMs: 200, totalMs: 400, bodyMs: 100 };
const post = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"a":"ü"}' });
const sendLocally = (url: string, options: SendOptions = {}) =>
  createSend({ allowLoopback: true }, { limits: quick, ...options })(post(url), systemClock);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

describe('sending a webhook', () => {
  it('a webhook is sent as the exact bytes, with its headers', async () => {
    const { reply, text } = await sendLocally(receiver.url);
    expect(evaluateReply(reply)).toEqual({ outcome: 'delivered', message: 'Acknowledged.' });
    expect(text).toBeNull();
    expect(receiver.arrivals).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: '{"a":"ü"}',
        headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'content-length': '10' },
      },
    ]);
  });

  it('webhooks reuse connections', async () => {
    const send = createSend({ allowLoopback: true });
    for (let count = 0; count < 10; count += 1) await send(post(receiver.url), systemClock);
    expect(receiver.connections()).toBeLessThan(3);
  });
});

describe('webhook acknowledgement', () => {
  it.each([201, 202, 204, 400, 404, 429, 500, 503])('a webhook is not acknowledged by status %i', async (status) => {
    receiver.respond = respondWith(status, status === 204 ? '' : 'why', { 'retry-after': '7' });
    const { reply, text, retryAfter } = await sendLocally(receiver.url);
    expect(evaluateReply(reply)).toEqual({
      outcome: 'failed',
      message: `The endpoint returned ${status}. Only 200 acknowledges an event.`,
    });
    expect(text).toBe(status === 204 ? null : 'why');
    expect(retryAfter).toBe('7');
  });

  it.each([301, 302, 303, 307, 308])('a webhook redirect with %i is not followed', async (status) => {
    const inside = await startReceiver();
    receiver.respond = respondWith(status, '', { location: inside.url });
    const { reply } = await sendLocally(receiver.url);
    expect(evaluateReply(reply)).toEqual({
      outcome: 'failed',
      message: `The endpoint returned ${status}. Redirects are not followed.`,
    });
    expect(inside.connections()).toBe(0);
    await inside.stop();
  });

  it('status 410 reports that the webhook endpoint is gone', async () => {
    receiver.respond = respondWith(410);
    expect(evaluateReply((await sendLocally(receiver.url)).reply).outcome).toBe('gone');
  });
});

describe('webhook limits against slow receivers', () => {
  it('sending a webhook ends when the receiver does not respond', async () => {
    receiver.respond = hang;
    const { reply } = await sendLocally(receiver.url);
    expect(evaluateReply(reply)).toEqual({ outcome: 'timeout', message: 'No response within 15 seconds.' });
  });

  it('sending a webhook ends when the receiver sends its body byte by byte', async () => {
    receiver.respond = (_arrival, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    };
    const { reply, text } = await sendLocally(receiver.url);
    expect(reply).toEqual({ kind: 'answer', status: 200 });
    expect(text).toMatch(/^\.+$/);
  });

  it('sending a webhook ends when the receiver sends its headers byte by byte', async () => {
    receiver.respond = (_arrival, response, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-drop: 1\r\n'), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect((await sendLocally(receiver.url)).reply).toEqual({ kind: 'timeout', during: 'answering' });
  });

  it('sending a webhook ends when the response body has no end', async () => {
    receiver.respond = (_arrival, response) => {
      response.writeHead(500);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const { reply, text } = await sendLocally(receiver.url);
    expect(reply).toEqual({ kind: 'answer', status: 500 });
    expect(text).toBe('x'.repeat(256));
  });

  it('sending a webhook ends when the response headers have no end', async () => {
    receiver.respond = (_arrival, _response, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(100_000)}`);
    };
    const { reply } = await sendLocally(receiver.url);
    expect(evaluateReply(reply).message).toBe('The response headers are too large.');
  });

  it.each([
    ['closing the connection', (socket: Socket) => socket.end(), 'The connection was closed before a response.'],
    [
      'resetting the connection',
      (socket: Socket) => socket.resetAndDestroy(),
      'The connection was closed before a response.',
    ],
    [
      'switching to another protocol',
      (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'The connection was closed before a response.',
    ],
    ['not speaking HTTP', (socket: Socket) => socket.end('hello?\r\n\r\n'), 'The response is not HTTP.'],
  ])('sending a webhook fails when the receiver is %s', async (_how, act, words) => {
    receiver.respond = (_arrival, _response, socket) => act(socket);
    const { reply } = await sendLocally(receiver.url);
    expect(evaluateReply(reply)).toEqual({ outcome: 'failed', message: expect.stringMatching(words) });
  });

  it('sending a webhook fails when the receiver closes the connection', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(evaluateReply((await sendLocally(gone.url)).reply).message).toBe('The connection was refused.');
  });
});

describe('webhook address guard when connecting', () => {
  const send = (url: string, options: SendOptions = {}) =>
    createSend({ allowLoopback: false }, { limits: quick, ...options })(post(url), systemClock);
  /** Node creates a socket before it resolves a name. What counts is whether the socket connects. */
  const attempts: string[] = [];
  const connect = Socket.prototype.connect;
  beforeEach(() => {
    attempts.length = 0;
    Socket.prototype.connect = function watched(this: Socket, ...options: unknown[]) {
      this.on('connectionAttempt', (address: string) => attempts.push(address));
      return Reflect.apply(connect, this, options);
    };
  });
  afterEach(() => {
    Socket.prototype.connect = connect;
  });

  it('an allowed webhook URL is connected to, which proves that these tests would see a connection', async () => {
    await sendLocally(receiver.url);
    await send('https://hooks.example.com:4444/', {
      resolve: (_n, _o, done) => done(null, [{ address: '192.9.9.9', family: 4 }]),
    });
    expect(attempts).toEqual(['127.0.0.1', '192.9.9.9']);
  });

  it('no connection is attempted to any forbidden webhook URL, in whatever notation', async () => {
    expect(new Set(forbiddenUrls).size).toBeGreaterThan(60);
    for (const url of forbiddenUrls) expect((await send(url)).reply, url).toMatchObject({ kind: 'forbidden' });
    expect(attempts).toEqual([]);
  });

  it('no connection is attempted to a name that resolves to a forbidden address, alone or among allowed ones', async () => {
    for (const address of forbiddenAddresses) {
      const bad = { address, family: address.includes(':') ? 6 : 4 };
      for (const addresses of [[bad], [{ address: '93.184.215.14', family: 4 }, bad]]) {
        const { reply } = await send('https://hooks.example.com/', {
          resolve: (_n, _o, done) => done(null, addresses),
        });
        expect(reply, address).toMatchObject({ kind: 'forbidden' });
      }
    }
    expect(attempts).toEqual([]);
  });

  it('no connection is attempted to a name that resolves to this machine after an allowed first lookup', async () => {
    const addresses = ['192.9.9.9', '127.0.0.1'];
    const resolve: SendOptions['resolve'] = (_name, _options, done) =>
      done(null, [{ address: addresses.shift() ?? '', family: 4 }]);
    const rebound = createSend({ allowLoopback: false }, { limits: quick, resolve });
    await rebound(post(`https://rebind.example.com:${receiver.port}/`), systemClock);
    const { reply } = await rebound(post(`https://rebind.example.com:${receiver.port}/`), systemClock);
    expect(reply).toMatchObject({ kind: 'forbidden' });
    expect(addresses).toEqual([]);
    expect(attempts).toEqual(['192.9.9.9']);
    expect(receiver.connections()).toBe(0);
  });
});
