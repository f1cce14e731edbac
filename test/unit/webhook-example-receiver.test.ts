import { afterEach, describe, expect, it } from 'vitest';
import { type Behaviour, readOptions, UsageError } from '../../local/receiver/options.ts';
import { startReceiver } from '../../local/receiver/server.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { newSecret, signatureHeaders } from '../../shared/webhooks/signature.ts';

const secret = newSecret();
const lines: string[] = [];
let stop = (): void => {};
afterEach(() => {
  stop();
  lines.length = 0;
});

/** What npm run receiver does with an event that is signed with this secret. */
async function received(behaviour: Behaviour, signedWith = secret, times = 1) {
  const receiver = await startReceiver({ secret, port: 0, behaviour }, (line) => lines.push(line));
  stop = receiver.stop;
  const message = { id: 'evt_1', timestampUnix: Math.floor(Date.now() / 1000), body: '{"type":"webhook.test"}' };
  const headers = signatureHeaders(message, [signedWith]);
  const send = createSend({ allowLoopback: true }, behaviour === 'hang' ? { limits: { totalMs: 300 } } : {});
  const post = () => send({ url: receiver.url, headers, body: message.body }, systemClock);
  for (let time = 1; time < times; time += 1) await post();
  return (await post()).reply;
}

describe('example webhook receiver', () => {
  it('the example receiver verifies, prints and acknowledges an event, and recognises a repeat by its id', async () => {
    expect(await received('accept', secret, 2)).toEqual({ kind: 'answer', status: 200 });
    expect(lines).toEqual([
      expect.stringMatching(/^verified +evt_1 +\{"type":"webhook.test"\}$/),
      expect.stringMatching(/^repeated +evt_1/),
    ]);
  });

  it('the example receiver refuses an event with a wrong signature', async () => {
    expect(await received('accept', newSecret())).toEqual({ kind: 'answer', status: 400 });
    expect(lines).toEqual([expect.stringMatching(/^refused +evt_1/)]);
  });

  it.each([
    ['fail', { kind: 'answer', status: 500 }],
    ['gone', { kind: 'answer', status: 410 }],
    ['hang', { kind: 'timeout', during: 'answering' }],
  ] as const)('the example receiver has the option to %s', async (behaviour, reply) => {
    expect(await received(behaviour)).toEqual(reply);
  });

  it('the example receiver says what to do if its port is in use', async () => {
    const first = await startReceiver({ secret, port: 0, behaviour: 'accept' }, () => {});
    stop = first.stop;
    const port = Number(new URL(first.url).port);
    const second = startReceiver({ secret, port, behaviour: 'accept' }, () => {});
    await expect(second).rejects.toThrow(new UsageError(`Port ${port} is already in use. Set --port to another.`));
  });

  it('the example receiver reports wrong options', () => {
    expect(() => readOptions([], {})).toThrow('starts with whsec_');
    expect(() => readOptions(['--secret', secret, '--do', 'dance'], {})).toThrow('accept, fail, hang, gone');
    expect(() => readOptions(['--secret', secret, '--port', '70000'], {})).toThrow('0 to 65535');
    expect(readOptions(['--do', 'fail'], { WEBHOOK_SECRET: secret })).toEqual({
      secret,
      port: 4000,
      behaviour: 'fail',
    });
  });
});
