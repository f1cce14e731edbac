import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture/start-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const call = (query: string) => fetch(`${fixture.cloud.url}/stream?${query}`);

async function open(query: string): Promise<IncomingMessage> {
  const outgoing = get(`${fixture.cloud.url}/stream?${query}`);
  const [response] = await once(outgoing, 'response');
  return response;
}

const megabyte = 1024 * 1024;

/** How far the function says it has come with its latest response. */
function producedBytes(): number {
  const line = fixture.logs.findLast((text) => text.includes('produced '));
  return Number(line?.split('produced ')[1] ?? 0);
}

/** A number once it has stopped to change. */
async function stable(read: () => number): Promise<number> {
  for (let last = -1; ; ) {
    const now = read();
    if (now === last && now > 0) return now;
    last = now;
    await sleep(300);
  }
}

describe('a streamed response', () => {
  test('has the status and headers of its head, and the whole body', async () => {
    const response = await call('bytes=300001');
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect((await response.text()).length).toBe(300_001);
  });

  test('may have no body', async () => {
    const response = await call('bytes=0');
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('');
  });

  test('of 100 MB is made no faster than the client reads it', async () => {
    const bytes = 100 * megabyte;
    const response = await open(`bytes=${bytes}`);
    const producedUnread = await stable(producedBytes);
    expect(producedUnread).toBeLessThan(20 * megabyte);
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    expect(received).toBe(bytes);
  });
});

describe('a stream that fails', () => {
  test.each(['throw', 'destroy', 'exit', 'hang'])('in the middle by %s breaks the connection', async (failure) => {
    const response = await call(`bytes=4000000&failure=${failure}`);
    expect(response.status).toBe(201);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test.each(['before', 'headless'])('with nothing sent (%s) is a 502', async (failure) => {
    const response = await call(`failure=${failure}`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ broken: 'Internal server error' });
  });

  test('leaves the function able to stream again', async () => {
    await call('bytes=4000000&failure=throw').then((response) => response.arrayBuffer().catch(() => {}));
    expect((await (await call('bytes=1000')).text()).length).toBe(1000);
  });
});
