import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../support/thorough.ts';
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

describe('local Lambda instance', () => {
  test('a Lambda instance has the variables of the template and the run, and none of this process', async () => {
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

  test('a Lambda instance has its own credentials', async () => {
    const [one, other] = [await probe(), await probe({}, 'OneAtATime')];
    expect(one.environment.AWS_ACCESS_KEY_ID).not.toBe(other.environment.AWS_ACCESS_KEY_ID);
  });

  test('a Lambda instance gets the Lambda context', async () => {
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

  test('a Lambda instance is kept for the next invocation, but shares nothing with another instance', async () => {
    const first = await probe({ ask: 'set-variable' });
    const [a, b] = await Promise.all([probe({ ask: 'wait', ms: 300 }), probe({ ask: 'wait', ms: 300 })]);
    expect(a.instanceId).not.toBe(b.instanceId);
    const kept = [a, b].find(({ instanceId }) => instanceId === first.instanceId);
    const other = [a, b].find(({ instanceId }) => instanceId !== first.instanceId);
    expect(kept?.environment.LEFT_BEHIND).toBe('yes');
    expect(kept?.invocations).toBeGreaterThan(1);
    expect(other?.environment.LEFT_BEHIND).toBeUndefined();
  });

  test('a Lambda instance handles one invocation at a time, however many wait', async () => {
    const reports = await Promise.all(Array.from({ length: 60 }, () => probe({ ask: 'wait', ms: 10 })));
    expect(Math.max(...reports.map(({ maxAtOnce }) => maxAtOnce))).toBe(1);
    expect(new Set(reports.map(({ instanceId }) => instanceId)).size).toBeLessThanOrEqual(24);
  });

  longTest('a Lambda instance of one function does not wait for a flood of another', async () => {
    let finished = 0;
    const flood = Array.from({ length: 96 }, async () => {
      await probe({ ask: 'wait', ms: 200 });
      finished += 1;
    });
    await probe({}, 'OneAtATime');
    expect(finished).toBeLessThan(96);
    await Promise.all(flood);
  });

  longTest(
    'Lambda instances are kept when two functions are flooded, and neither evicts those of the other',
    async () => {
      const flood = ['Probe', 'Twin'].flatMap((id) =>
        Array.from({ length: 100 }, () => probe({ ask: 'wait', ms: 5 }, id)),
      );
      const instances = new Set((await Promise.all(flood)).map(({ instanceId }) => instanceId));
      // 24 for the first function, and at most as many again until both have their share.
      expect(instances.size).toBeLessThanOrEqual(48);
    },
  );

  test('a function with a reserved concurrency of one has one instance', async () => {
    const reports = await Promise.all(Array.from({ length: 8 }, () => probe({ ask: 'wait', ms: 10 }, 'OneAtATime')));
    expect(new Set(reports.map(({ instanceId }) => instanceId)).size).toBe(1);
  });

  test('a Lambda instance finds nothing outside of its bundle', async () => {
    await expect(probe({ ask: 'require' })).rejects.toThrow(/aws-cdk-lib/);
  });

  test('a Lambda instance prints to the log under the name of its function', async () => {
    await probe({ ask: 'print' });
    const name = fixture.cloud.physicalId(fixture.logicalId('AWS::Lambda::Function', 'Probe'));
    await expect.poll(() => fixture.logs).toContain(`${name}: printed as asked`);
  });
});

describe('failing Lambda invocation', () => {
  test('an invocation that throws returns the type and message of the error', async () => {
    await expect(probe({ ask: 'throw' })).rejects.toMatchObject({ name: 'TypeError', message: 'thrown as asked' });
  });

  test.each(['exit', 'reject'])(
    'an invocation that fails by %s ends its instance, and the next gets a new one',
    async (ask) => {
      const before = await probe({}, 'OneAtATime');
      await expect(probe({ ask }, 'OneAtATime')).rejects.toThrow(
        ask === 'exit' ? /exit status 3/ : /an unhandled rejection/,
      );
      const after = await probe({}, 'OneAtATime');
      expect(after.instanceId).not.toBe(before.instanceId);
      expect(after.invocations).toBe(1);
    },
  );

  test.each(['loop', 'wait'])(
    'an invocation that exceeds its timeout is ended also in a %s, and the next gets a new instance',
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

  test('a failing invocation is logged', async () => {
    await probe({ ask: 'throw' }).catch(() => {});
    await expect.poll(() => fixture.logs.some((line) => line.includes('TypeError: thrown as asked'))).toBe(true);
  });
});

test('the local clock moves Date in every instance, including running ones', async () => {
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

/** How many bytes the function reports for its latest response. */
function producedBytes(): number {
  const line = fixture.logs.findLast((text) => text.includes('produced '));
  return Number(line?.split('produced ')[1] ?? 0);
}

/** A number once it no longer changes. */
async function stable(read: () => number): Promise<number> {
  for (let last = -1; ; ) {
    const now = read();
    if (now === last && now > 0) return now;
    last = now;
    await sleep(300);
  }
}

describe('streamed Lambda response', () => {
  test('a streamed response has the status and headers of its prelude, and the whole body', async () => {
    const response = await stream('bytes=300001');
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect((await response.text()).length).toBe(300_001);
  });

  test('a streamed response may have no body', async () => {
    const response = await stream('bytes=0');
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('');
  });

  longTest('a streamed response of 100 MB is produced no faster than the client reads it', async () => {
    const bytes = 100 * megabyte;
    const response = await open(`bytes=${bytes}`);
    const producedUnread = await stable(producedBytes);
    expect(producedUnread).toBeLessThan(20 * megabyte);
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    expect(received).toBe(bytes);
  });
});

describe('failing streamed Lambda response', () => {
  test.each(['throw', 'destroy', 'exit'])(
    'a streamed response that fails midway by %s breaks the connection',
    async (failure) => {
      const response = await stream(`bytes=4000000&failure=${failure}`);
      expect(response.status).toBe(201);
      await expect(response.arrayBuffer()).rejects.toThrow();
    },
  );

  test('a streamed response that exceeds its timeout breaks the connection', async () => {
    const response = await fetch(`${fixture.cloud.url}/brief-stream?bytes=4000000&failure=hang`);
    expect(response.status).toBe(201);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test.each(['before', 'headless'])(
    'a streamed response that fails before its first byte (%s) is a 502',
    async (failure) => {
      const response = await stream(`failure=${failure}`);
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual({ broken: 'Internal server error' });
    },
  );

  test('a function can stream again after a failed stream', async () => {
    await stream('bytes=4000000&failure=throw').then((response) => response.arrayBuffer().catch(() => {}));
    expect((await (await stream('bytes=1000')).text()).length).toBe(1000);
  });
});
