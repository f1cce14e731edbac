import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture/start-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  process.env.OF_THIS_PROCESS = 'must not leak';
  fixture = await startFixture({ variables: { ADDED_BY_THE_RUN: 'yes' } });
});
afterAll(() => fixture.stop());

const Report = v.object({
  instanceId: v.string(),
  invocations: v.number(),
  maxAtOnce: v.number(),
  nowMs: v.number(),
  newDateMs: v.number(),
  dateText: v.string(),
  isDate: v.boolean(),
  environment: v.record(v.string(), v.string()),
  context: v.looseObject({ remainingMs: v.number() }),
});

const probe = async (event: unknown = {}, id = 'Probe') => v.parse(Report, await fixture.invoke(id, event));

describe('an instance', () => {
  test('has the variables of the template and the run, and nothing of this process', async () => {
    const { environment } = await probe();
    expect(environment).toMatchObject({
      GREETING: 'hello',
      ADDED_BY_THE_RUN: 'yes',
      TABLE: fixture.tableName,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_REGION: fixture.cloud.operator.region,
      AWS_ENDPOINT_URL_DYNAMODB: fixture.cloud.endpoints.dynamodb,
    });
    expect(environment).not.toHaveProperty('OF_THIS_PROCESS');
    expect(environment).not.toHaveProperty('HOME');
    expect(environment.AWS_ACCESS_KEY_ID).not.toBe(fixture.cloud.operator.accessKeyId);
  });

  test('has credentials of its own', async () => {
    const [one, other] = [await probe(), await probe({}, 'OneAtATime')];
    expect(one.environment.AWS_ACCESS_KEY_ID).not.toBe(other.environment.AWS_ACCESS_KEY_ID);
  });

  test('sees what Lambda tells a function about itself', async () => {
    const { context } = await probe();
    expect(context).toMatchObject({
      functionName: fixture.cloud.physicalId(fixture.logicalId('AWS::Lambda::Function', 'Probe')),
      functionVersion: '$LATEST',
      memoryLimitInMB: '256',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(context.remainingMs).toBeGreaterThan(0);
    expect(context.remainingMs).toBeLessThanOrEqual(5000);
  });

  test('is kept for the next invocation, but shares nothing with another instance', async () => {
    const first = await probe({ ask: 'set-variable' });
    const [a, b] = await Promise.all([probe({ ask: 'wait', ms: 300 }), probe({ ask: 'wait', ms: 300 })]);
    expect(a.instanceId).not.toBe(b.instanceId);
    const kept = [a, b].find(({ instanceId }) => instanceId === first.instanceId);
    const other = [a, b].find(({ instanceId }) => instanceId !== first.instanceId);
    expect(kept?.environment.LEFT_BEHIND).toBe('yes');
    expect(kept?.invocations).toBeGreaterThan(1);
    expect(other?.environment.LEFT_BEHIND).toBeUndefined();
  });

  test('serves one invocation at a time, however many wait', async () => {
    const reports = await Promise.all(Array.from({ length: 60 }, () => probe({ ask: 'wait', ms: 10 })));
    expect(Math.max(...reports.map(({ maxAtOnce }) => maxAtOnce))).toBe(1);
    expect(new Set(reports.map(({ instanceId }) => instanceId)).size).toBeLessThanOrEqual(24);
  });

  test('of one function does not wait for a flood of another', async () => {
    let finished = 0;
    const flood = Array.from({ length: 96 }, async () => {
      await probe({ ask: 'wait', ms: 200 });
      finished += 1;
    });
    await probe({}, 'OneAtATime');
    expect(finished).toBeLessThan(96);
    await Promise.all(flood);
  });

  test('is kept where two functions are flooded: neither ends what the other will need', async () => {
    const flood = ['Probe', 'Twin'].flatMap((id) =>
      Array.from({ length: 100 }, () => probe({ ask: 'wait', ms: 5 }, id)),
    );
    const instances = new Set((await Promise.all(flood)).map(({ instanceId }) => instanceId));
    // 24 for the first of them, and as many again at the most until both have their share.
    expect(instances.size).toBeLessThanOrEqual(48);
  });

  test('is the only one where one is reserved', async () => {
    const reports = await Promise.all(Array.from({ length: 8 }, () => probe({ ask: 'wait', ms: 10 }, 'OneAtATime')));
    expect(new Set(reports.map(({ instanceId }) => instanceId)).size).toBe(1);
  });

  test('finds nothing outside of its bundle', async () => {
    await expect(probe({ ask: 'require' })).rejects.toThrow(/aws-cdk-lib/);
  });

  test('prints to the log under its function’s name', async () => {
    await probe({ ask: 'print' });
    const name = fixture.cloud.physicalId(fixture.logicalId('AWS::Lambda::Function', 'Probe'));
    await expect.poll(() => fixture.logs).toContain(`${name}: printed as asked`);
  });
});

describe('an invocation that fails', () => {
  test('by throwing carries the error’s type and message', async () => {
    await expect(probe({ ask: 'throw' })).rejects.toMatchObject({ name: 'TypeError', message: 'thrown as asked' });
  });

  test.each(['exit', 'reject'])('by %s ends its instance, and the next one gets a fresh one', async (ask) => {
    const before = await probe({}, 'OneAtATime');
    await expect(probe({ ask }, 'OneAtATime')).rejects.toThrow(
      ask === 'exit' ? /exit status 3/ : /nobody catches this/,
    );
    const after = await probe({}, 'OneAtATime');
    expect(after.instanceId).not.toBe(before.instanceId);
    expect(after.invocations).toBe(1);
  });

  test.each(['loop', 'wait'])(
    'by its timeout is ended also in a %s, and the next one gets a fresh instance',
    async (ask) => {
      const before = await probe({}, 'ShortLived');
      await expect(probe({ ask, ms: 60_000 }, 'ShortLived')).rejects.toMatchObject({
        name: 'Sandbox.Timedout',
        message: 'Task timed out after 1.00 seconds',
      });
      const after = await probe({}, 'ShortLived');
      expect(after.instanceId).not.toBe(before.instanceId);
    },
  );

  test('is told in the log', async () => {
    await probe({ ask: 'throw' }).catch(() => {});
    await expect.poll(() => fixture.logs.some((line) => line.includes('TypeError: thrown as asked'))).toBe(true);
  });
});

test('the clock moves Date in every instance, also in those that are running', async () => {
  const before = await probe();
  const day = 24 * 60 * 60;
  fixture.cloud.clock.advance(day);
  const after = await probe();
  expect(after.nowMs - before.nowMs).toBeGreaterThanOrEqual(day * 1000);
  expect(Math.abs(after.nowMs - fixture.cloud.clock.now())).toBeLessThan(60_000);
  expect(after.newDateMs).toBeGreaterThanOrEqual(after.nowMs);
  expect(new Date(after.dateText).getTime()).toBeGreaterThan(before.nowMs + day * 1000 - 1000);
  expect(after.isDate).toBe(true);
});

const stream = (query: string) => fetch(`${fixture.cloud.url}/stream?${query}`);

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
    const response = await stream('bytes=300001');
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect((await response.text()).length).toBe(300_001);
  });

  test('may have no body', async () => {
    const response = await stream('bytes=0');
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
  test.each(['throw', 'destroy', 'exit'])('in the middle by %s breaks the connection', async (failure) => {
    const response = await stream(`bytes=4000000&failure=${failure}`);
    expect(response.status).toBe(201);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('by its timeout breaks the connection', async () => {
    const response = await fetch(`${fixture.cloud.url}/brief-stream?bytes=4000000&failure=hang`);
    expect(response.status).toBe(201);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test.each(['before', 'headless'])('with nothing sent (%s) is a 502', async (failure) => {
    const response = await stream(`failure=${failure}`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ broken: 'Internal server error' });
  });

  test('leaves the function able to stream again', async () => {
    await stream('bytes=4000000&failure=throw').then((response) => response.arrayBuffer().catch(() => {}));
    expect((await (await stream('bytes=1000')).text()).length).toBe(1000);
  });
});
