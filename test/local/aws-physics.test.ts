import {
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { SimulatedTime } from '../../local/cloud/clock/simulated-time.ts';
import { drawMs, seededRandom } from '../../local/cloud/dynamodb/physics/random.ts';
import { openPhysicalTable } from '../../tools/fixtures/physical-table.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';

const TableName = 'model';
const key = (pk: string, sk = '#') => ({ pk, sk });
const add = (Key: object) => ({
  TableName,
  Key: { ...Key },
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': 1 },
});

/** A table with the physics of AWS in simulated time, whose calls take the same time each. */
function givenTable({ warm = { read: 12_000, write: 4_000 }, isSteady = true, seed = 1 } = {}) {
  const time = new SimulatedTime(0);
  const steady = (medianMs: number) => ({ medianMs, p99Ms: medianMs });
  const latencies = {
    read: steady(4),
    write: steady(4),
    transaction: steady(4),
    held: steady(10),
    indexLag: steady(50),
  };
  const { model, physics, open } = openPhysicalTable({
    time,
    random: seededRandom(seed),
    warmThroughput: warm,
    splitAfterMs: 3_000,
    ...(isSteady && { latencies }),
  });
  const { client } = open();
  return {
    time,
    model,
    physics,
    client,
    add: (Key: object) => client.send(new UpdateCommand(add(Key))),
    transact: (...keys: readonly object[]) =>
      client.send(new TransactWriteCommand({ TransactItems: keys.map((Key) => ({ Update: add(Key) })) })),
    count: async (Key: object) =>
      Number((await client.send(new GetCommand({ TableName, Key: { ...Key } }))).Item?.n ?? 0),
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'none');
const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => 'ok', nameOf);
const reasonsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: unknown) => rowsOf(fieldsOf(error).CancellationReasons).map(({ Code }) => Code),
  );

describe('transactions', () => {
  it('a transaction that meets another one on an item is cancelled with TransactionConflict for that item', async () => {
    const { time, transact, count } = givenTable();
    const work = Promise.all([
      reasonsOf(transact(key('A'), key('B'))),
      time.sleep(5).then(() => reasonsOf(transact(key('C'), key('B')))),
    ]);
    expect(await time.run(work)).toEqual(['ok', ['None', 'TransactionConflict']]);
    expect(await time.run(Promise.all([count(key('B')), count(key('C'))]))).toEqual([1, 0]);
  });

  it('a single write that meets a transaction gets TransactionConflictException, and the SDK does not repeat it', async () => {
    const { time, transact, add: addOne, physics } = givenTable();
    const work = Promise.all([outcome(transact(key('A'))), time.sleep(5).then(() => outcome(addOne(key('A'))))]);
    expect(await time.run(work)).toEqual(['ok', 'TransactionConflictException']);
    expect(physics.counts).toMatchObject({ calls: 2, conflicts: 1 });
  });

  it('a single read does not wait for a transaction; a transactional read is cancelled', async () => {
    const { time, transact, client } = givenTable();
    const read = new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: key('A') } }] });
    const work = Promise.all([
      outcome(transact(key('A'))),
      time.sleep(5).then(() => outcome(client.send(new GetCommand({ TableName, Key: key('A') })))),
      time.sleep(5).then(() => reasonsOf(client.send(read))),
    ]);
    expect(await time.run(work)).toEqual(['ok', 'ok', ['TransactionConflict']]);
  });

  it('an item is free again after the commit, and a transaction whose condition fails does not hold it', async () => {
    const { time, transact, add: addOne, client } = givenTable();
    await time.run(transact(key('A')));
    expect(await time.run(outcome(addOne(key('A'))))).toBe('ok');
    const refused = client.send(
      new TransactWriteCommand({
        TransactItems: [{ Put: { TableName, Item: key('A'), ConditionExpression: 'attribute_not_exists(pk)' } }],
      }),
    );
    const work = Promise.all([reasonsOf(refused), time.sleep(3).then(() => outcome(addOne(key('A'))))]);
    expect(await time.run(work)).toEqual([['ConditionalCheckFailed'], 'ok']);
  });

  it('concurrent single writes of one item do not conflict', async () => {
    const { time, add: addOne, count } = givenTable();
    await time.run(Promise.all(Array.from({ length: 20 }, () => addOne(key('A')))));
    expect(await time.run(count(key('A')))).toBe(20);
  });

  it('a repeated token is in progress while the first request runs, and makes no second change afterwards', async () => {
    const { time, client, count } = givenTable();
    const send = () =>
      client.send(new TransactWriteCommand({ ClientRequestToken: 't', TransactItems: [{ Update: add(key('A')) }] }));
    const names: string[] = [];
    const work = Promise.all([send(), time.sleep(3).then(() => send().catch((error) => names.push(nameOf(error))))]);
    await time.run(work);
    // The SDK repeats a call that is in progress, so the second one succeeds in the end.
    expect([names, await time.run(count(key('A')))]).toEqual([[], 1]);
  });
});

/** Writes units for some seconds, evenly, ten with each call, and returns how many calls the table refused. */
async function writeEvenly(
  { time, physics, client }: ReturnType<typeof givenTable>,
  { perSecond, seconds, keyOf }: { perSecond: number; seconds: number; keyOf: (index: number) => object },
): Promise<number> {
  const before = physics.counts.throttled;
  const text = 'x'.repeat(9_500);
  const put = (index: number) => client.send(new PutCommand({ TableName, Item: { ...keyOf(index), text, index } }));
  const calls = Array.from({ length: (perSecond * seconds) / 10 }, (_, index) =>
    time.sleep((index / perSecond) * 10_000).then(() => outcome(put(index))),
  );
  await time.run(Promise.all(calls));
  return physics.counts.throttled - before;
}

describe('throughput', () => {
  it('a partition key takes 1,000 write units a second, and more is throttled by the name of the key range', async () => {
    const table = givenTable();
    expect(await writeEvenly(table, { perSecond: 1_000, seconds: 2, keyOf: () => key('A') })).toBe(0);
    expect(await writeEvenly(table, { perSecond: 1_800, seconds: 3, keyOf: () => key('A') })).toBeGreaterThan(30);
    expect([...table.physics.counts.byKind.keys()]).toEqual(['TableWriteKeyRangeThroughputExceeded A']);
  });

  it('other partition keys are not throttled with it', async () => {
    const table = givenTable();
    const keyOf = (index: number) => key(`K${index % 3}`);
    expect(await writeEvenly(table, { perSecond: 2_700, seconds: 2, keyOf })).toBe(0);
  });

  it('a throttled write is a ThrottlingException, and a throttled transaction is cancelled with ThrottlingError', async () => {
    const { time, client, transact, physics } = givenTable();
    const text = 'x'.repeat(300_000);
    const write = () => client.send(new PutCommand({ TableName, Item: { ...key('A'), text } }));
    await time.run(Promise.all(Array.from({ length: 6 }, write)));
    expect(await time.run(reasonsOf(transact(key('A'), key('B'))))).toEqual(['ThrottlingError', 'None']);
    const before = physics.counts.calls;
    expect(await time.run(outcome(write()))).toBe('ok');
    // The SDK repeated the call after a pause.
    expect(physics.counts.calls - before).toBeGreaterThan(1);
  });

  it('a read of a hot key is throttled at 3,000 units a second', async () => {
    const { time, client, physics } = givenTable();
    await time.run(client.send(new PutCommand({ TableName, Item: { ...key('A'), text: 'x'.repeat(39_000) } })));
    const read = () => client.send(new GetCommand({ TableName, Key: key('A'), ConsistentRead: true }));
    await time.run(Promise.all(Array.from({ length: 290 }, read)));
    expect(physics.counts.throttled).toBe(0);
    await time.run(Promise.all(Array.from({ length: 400 }, () => outcome(read()))));
    expect([...physics.counts.byKind.keys()]).toContain('TableReadKeyRangeThroughputExceeded A');
  });

  it('a key that stays throttled is split between its sort keys; a single item is not', async () => {
    const rate = { perSecond: 1_400, seconds: 8 };
    const [spread, single] = [givenTable(), givenTable()];
    await writeEvenly(spread, { ...rate, keyOf: (index) => key('A', String(index % 10)) });
    expect(await writeEvenly(spread, { ...rate, seconds: 5, keyOf: (index) => key('A', String(index % 10)) })).toBe(0);
    await writeEvenly(single, { ...rate, keyOf: () => key('A') });
    expect(await writeEvenly(single, { ...rate, seconds: 5, keyOf: () => key('A') })).toBeGreaterThan(50);
  });

  it('the table takes its warm throughput at once, and after half an hour twice its highest traffic', async () => {
    const table = givenTable({ warm: { read: 12_000, write: 1_000 } });
    const keyOf = (index: number) => key(`K${index % 50}`);
    expect(await writeEvenly(table, { perSecond: 1_600, seconds: 3, keyOf })).toBeGreaterThan(0);
    await table.time.run(table.time.sleep(31 * 60_000));
    expect(await writeEvenly(table, { perSecond: 1_600, seconds: 3, keyOf })).toBe(0);
  });

  it('an index has its own partitions, and a write is throttled with them', async () => {
    const { time, client, physics } = givenTable();
    const put = (index: number) =>
      client.send(
        new PutCommand({
          TableName,
          Item: { ...key(`K${index}`), by1pk: 'P', by1sk: String(index), text: 'x'.repeat(20_000) },
        }),
      );
    await time.run(Promise.all(Array.from({ length: 60 }, (_, index) => outcome(put(index)))));
    const query = new QueryCommand({
      TableName,
      IndexName: 'by1',
      KeyConditionExpression: 'by1pk = :pk',
      ExpressionAttributeValues: { ':pk': 'P' },
    });
    expect(await time.run(outcome(client.send(query)))).toBe('ok');
    await time.run(Promise.all(Array.from({ length: 60 }, (_, index) => outcome(put(100 + index)))));
    expect([...physics.counts.byKind.keys()]).toContain('IndexWriteKeyRangeThroughputExceeded P');
  });
});

it('an index shows a change later than the table does', async () => {
  const { time, client } = givenTable();
  await time.run(client.send(new PutCommand({ TableName, Item: { ...key('A'), by1pk: 'P', by1sk: '1' } })));
  const query = () =>
    client
      .send(
        new QueryCommand({
          TableName,
          IndexName: 'by1',
          KeyConditionExpression: 'by1pk = :pk',
          ExpressionAttributeValues: { ':pk': 'P' },
        }),
      )
      .then(({ Count }) => Count);
  expect(await time.run(query())).toBe(0);
  await time.run(time.sleep(100));
  expect(await time.run(query())).toBe(1);
});

it('latencies have the median and the p99 of their distribution', () => {
  const random = seededRandom(5);
  const drawn = Array.from({ length: 20_000 }, () => drawMs({ medianMs: 5, p99Ms: 20 }, random)).sort((a, b) => a - b);
  expect(drawn[10_000]).toBeCloseTo(5, 0);
  expect(Math.abs((drawn[19_800] ?? 0) - 20)).toBeLessThan(2);
});

it('a seed repeats every refusal and every latency', async () => {
  const run = async (seed: number) => {
    const { time, transact, physics } = givenTable({ isSteady: false, seed });
    const calls = Array.from({ length: 300 }, (_, index) =>
      time.sleep(index).then(() => outcome(transact(key('A'), key(`B${index % 7}`)))),
    );
    const outcomes = await time.run(Promise.all(calls));
    return { outcomes, endMs: time.nowMs(), counts: { ...physics.counts } };
  };
  const [one, same, other] = [await run(3), await run(3), await run(4)];
  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
});
