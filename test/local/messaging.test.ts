import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture/start-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const put = (Item: Record<string, unknown>) =>
  fixture.table.send(new PutCommand({ TableName: fixture.tableName, Item }));
const send = (...bodies: unknown[]) =>
  fixture.invoke('Messaging', {
    messages: { queue: fixture.queueUrl('Orders'), bodies: bodies.map((body) => JSON.stringify(body)) },
  });
const seen = (id: string, times = 1) => fixture.untilItem({ pk: 'SEEN', sk: id }, (item) => Number(item.seen) >= times);
const lastRecord = (item: Record<string, unknown>): unknown => JSON.parse(String(item.lastRecord));

async function receive(queue: string): Promise<unknown> {
  for (;;) {
    const input = {
      QueueUrl: fixture.queueUrl(queue),
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      VisibilityTimeout: 0,
    };
    const [message] = (await fixture.sqs.send(new ReceiveMessageCommand(input))).Messages ?? [];
    if (message !== undefined) return { body: JSON.parse(message.Body ?? ''), attributes: message.MessageAttributes };
  }
}

/**
 * Waits until the poller has deleted handled messages. If the clock moves before that, the queue delivers them again,
 * as SQS would.
 */
const untilInFlight = (count: number) =>
  expect
    .poll(
      async () => {
        const input = { QueueUrl: fixture.queueUrl('Orders'), AttributeNames: ['All' as const] };
        const { Attributes } = await fixture.sqs.send(new GetQueueAttributesCommand(input));
        return [Attributes?.ApproximateNumberOfMessagesNotVisible, Attributes?.ApproximateNumberOfMessages];
      },
      { timeout: 50_000 },
    )
    .toEqual([String(count), '0']);

describe('local messaging: table stream to queue consumer', () => {
  test('an outbox row passes stream, bus, rule and queue unchanged', async () => {
    await put({ pk: 'OUTBOX#1', sk: 'whole-way', type: 'order.placed', text: 'Zoë 🎟' });
    const record = lastRecord(await seen('whole-way'));
    expect(record).toMatchObject({
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:Fixture-Orders/),
      awsRegion: 'us-east-1',
      messageAttributes: {},
      attributes: {
        ApproximateReceiveCount: '1',
        SenderId: expect.any(String),
        SentTimestamp: expect.stringMatching(/^\d+$/),
      },
    });
    const event: unknown = JSON.parse(v.parse(v.object({ body: v.string() }), record).body);
    expect(event).toMatchObject({
      version: '0',
      source: 'fixture',
      'detail-type': 'order.placed',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      detail: {
        id: 'whole-way',
        text: 'Zoë 🎟',
        eventName: 'INSERT',
        eventSourceARN: expect.stringContaining('/stream/'),
      },
    });
  });

  test('rows that the filter excludes, and events that no rule matches, are not delivered', async () => {
    await put({ pk: 'ELSEWHERE#1', sk: 'filtered', type: 'order.placed' });
    await put({ pk: 'OUTBOX#2', sk: 'unwanted', type: 'member.joined' });
    await put({ pk: 'OUTBOX#2', sk: 'wanted', type: 'order.placed' });
    await seen('wanted');
    for (const sk of ['filtered', 'unwanted']) {
      const response = await fixture.table.send(
        new GetCommand({ TableName: fixture.tableName, Key: { pk: 'SEEN', sk } }),
      );
      expect(response.Item).toBeUndefined();
    }
  });

  test('a stream record that never succeeds goes to the on-failure queue, and later records continue', async () => {
    await put({ pk: 'OUTBOX#3', sk: 'poison', type: 'order.placed', poison: true });
    await put({ pk: 'OUTBOX#3', sk: 'behind', type: 'order.placed' });
    await seen('behind');
    expect(await receive('StreamFailures')).toMatchObject({
      body: {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
        DDBStreamBatchInfo: { batchSize: 1, startSequenceNumber: expect.stringMatching(/^\d+$/) },
      },
    });
  });
});

describe('local SQS consumer', () => {
  test('an SQS consumer gets only the failed messages of a batch again', async () => {
    await send({ id: 'fine' }, { id: 'fails-once', failures: 1 });
    await Promise.all([seen('fine'), seen('fails-once')]);
    await untilInFlight(1);
    fixture.cloud.clock.advance(15);
    const again = await seen('fails-once', 2);
    expect(lastRecord(again)).toMatchObject({ attributes: { ApproximateReceiveCount: '2' } });
    expect((await seen('fine')).seen).toBe(1);
  });

  test('an SQS consumer that throws gets the whole batch again, and the dead-letter queue gets it after three times', async () => {
    await send({ id: 'crashes', failures: 'crash' });
    for (const times of [1, 2, 3]) {
      await seen('crashes', times);
      fixture.cloud.clock.advance(15);
    }
    expect(await receive('DeadLetters')).toMatchObject({ body: { id: 'crashes' } });
  });

  test('an SQS consumer gets a delayed message when the clock has passed its delay', async () => {
    const messages = {
      queue: fixture.queueUrl('Orders'),
      bodies: [JSON.stringify({ id: 'delayed' })],
      delaySeconds: 900,
    };
    await fixture.invoke('Messaging', { messages });
    await send({ id: 'not-delayed' });
    await seen('not-delayed');
    const early = await fixture.table.send(
      new GetCommand({ TableName: fixture.tableName, Key: { pk: 'SEEN', sk: 'delayed' } }),
    );
    expect(early.Item).toBeUndefined();
    fixture.cloud.clock.advance(900);
    await seen('delayed');
  });
});

describe('local EventBridge PutEvents', () => {
  const entry = { Source: 'fixture', DetailType: 'order.tested', Detail: '{}' };

  test('PutEvents validates every entry separately', async () => {
    const events = [
      entry,
      { ...entry, Detail: 'not json' },
      { ...entry, Detail: '[]' },
      { ...entry, Source: 'aws.s3' },
      { ...entry, Source: '' },
    ];
    expect(await fixture.invoke('Messaging', { events })).toMatchObject({
      output: {
        FailedEntryCount: 4,
        Entries: [
          { EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
          { ErrorCode: 'MalformedDetail' },
          { ErrorCode: 'MalformedDetail' },
          { ErrorCode: 'NotAuthorizedForSourceException' },
          { ErrorCode: 'InvalidArgument' },
        ],
      },
    });
  });

  test.each([
    ['more than ten entries', Array.from({ length: 11 }, () => entry)],
    ['more than 256 KB', [{ ...entry, Detail: JSON.stringify({ text: 'x'.repeat(257 * 1024) }) }]],
  ])('PutEvents refuses %s', async (_what, events) => {
    expect(await fixture.invoke('Messaging', { events })).toMatchObject({ error: { name: 'ValidationException' } });
  });

  test('EventBridge sends the part of the event that the target selects', async () => {
    await fixture.invoke('Messaging', {
      events: [{ ...entry, DetailType: 'order.large', Detail: '{"id":"part","size":1}' }],
    });
    expect(await receive('Small')).toMatchObject({ body: { id: 'part', size: 1 } });
  });

  test('EventBridge sends an event that its target refuses to the dead-letter queue of the target', async () => {
    const Detail = JSON.stringify({ id: 'too-large', text: 'x'.repeat(2000) });
    await fixture.invoke('Messaging', { events: [{ ...entry, DetailType: 'order.large', Detail }] });
    expect(await receive('Undelivered')).toMatchObject({
      body: { 'detail-type': 'order.large', detail: { id: 'too-large' } },
      attributes: { TARGET_ARN: { StringValue: expect.stringContaining('Small') }, ERROR_MESSAGE: expect.anything() },
    });
  });
});

test('schedules fire by the local clock, each with its own event, unless they are off', async () => {
  fixture.cloud.clock.advance(61);
  const tick = await fixture.untilItem({ pk: 'TICK', sk: 'aws.events' }, (item) => Number(item.ticks) >= 1);
  expect(JSON.parse(String(tick.lastEvent))).toMatchObject({
    'detail-type': 'Scheduled Event',
    resources: [expect.stringMatching(/^arn:aws:events:us-east-1:000000000000:rule\/Fixture-EveryMinute/)],
    detail: {},
  });
  fixture.cloud.clock.advance(3600);
  const hourly = await fixture.untilItem({ pk: 'TICK', sk: 'hourly' }, (item) => Number(item.ticks) >= 1);
  expect(JSON.parse(String(hourly.lastEvent))).toEqual({ schedule: 'hourly' });

  fixture.cloud.setSchedules('off');
  fixture.cloud.clock.advance(3600);
  // The timers that are due now fire before this one.
  await sleep(2);
  fixture.cloud.setSchedules('on');
  fixture.cloud.clock.advance(61);
  await fixture.untilItem({ pk: 'TICK', sk: 'aws.events' }, ({ ticks }) => Number(ticks) > Number(tick.ticks) + 1);
  // Not the one that was due while they were off.
  expect(await fixture.untilItem({ pk: 'TICK', sk: 'hourly' }, () => true)).toMatchObject({ ticks: hourly.ticks });
});

test('items expire by their time to live, and no others', async () => {
  const nowSeconds = Math.floor(fixture.cloud.clock.now() / 1000);
  await put({ pk: 'TTL', sk: 'expires', expiresAt: nowSeconds + 60 });
  await put({ pk: 'TTL', sk: 'stays', expiresAt: nowSeconds + 1_000_000 });
  await put({ pk: 'TTL', sk: 'no-number', expiresAt: 'soon' });
  fixture.cloud.clock.advance(600);
  const find = async (sk: string) =>
    (await fixture.table.send(new GetCommand({ TableName: fixture.tableName, Key: { pk: 'TTL', sk } }))).Item;
  await expect.poll(() => find('expires'), { timeout: 30_000 }).toBeUndefined();
  expect(await find('stays')).toBeDefined();
  expect(await find('no-number')).toBeDefined();
});

test('a function reads the secret that the template generates', async () => {
  const Answer = v.object({ output: v.object({ SecretString: v.string(), ARN: v.string() }) });
  const { output } = v.parse(Answer, await fixture.invoke('Messaging', {}));
  expect(output.SecretString).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(output.ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:/);
});
