import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemBytes } from '../../../local/cloud/dynamodb/model/item-size.ts';
import type { Change } from '../../../local/cloud/dynamodb/model/storage.ts';
import { TableModel } from '../../../local/cloud/dynamodb/model/table-model.ts';
import { tableSchema } from '../../../shared/data/table/schema.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createLocalTable } from '../../support/dynamodb-local.ts';
import { knownShapes } from '../../support/expressions/known-shapes.ts';
import { shapesOf } from '../../support/expressions/shape.ts';
import { expectSameOutcomes, modelTable } from '../../support/model-table.ts';
import { type Operation, randomOperation } from '../../support/random-table-operations.ts';
import { inputFor, outcomeOf } from '../../support/table-outcomes.ts';
import { amount } from '../../support/thorough.ts';

const TableName = 'model';
const Key = { pk: 'A#1', sk: '#' };

it('the random operations contain every shape of expression that the code uses', () => {
  const table = { name: TableName };
  const shapes = new Set(
    fc.sample(randomOperation, 4_000).flatMap((operation) => shapesOf(operation.name, inputFor(table, operation))),
  );
  expect(knownShapes().filter((shape) => !shapes.has(shape))).toEqual([]);
});

/** `npm run test:model` compares most: it sets the number. Each part has a table of its own. */
const operations = Number(process.env.MODEL_OPERATIONS ?? amount(250, 30_000));
const operationsPerPart = 10_000;
const parts = Array.from({ length: Math.ceil(operations / operationsPerPart) }, (_, part) => part + 1);

it.each(parts)('the model of the table answers random operations as DynamoDB Local does, part %s', (part) =>
  expectSameOutcomes(Math.min(operations, operationsPerPart), Number(process.env.SEED) + part - 1),
);

it.each([0, 3, -3, 10, 100, 1.5, 120.5, -2.25, 0.05, 0.001, 12_345, 1_794_657_601_213, [-1]])(
  'an item with %s has the size that DynamoDB Local counts',
  async (value) => {
    const table = await createLocalTable();
    const unitsWith = async (item: Readonly<Record<string, unknown>>) => {
      const put = { TableName: table.name, Item: item, ReturnConsumedCapacity: 'TOTAL' } as const;
      return (await table.client.send(new PutCommand(put))).ConsumedCapacity?.CapacityUnits;
    };
    const item = { pk: 'A', v: value, text: 'x'.repeat(1_000) };
    const full = { ...item, sk: 'x'.repeat(1_024 - itemBytes(item) - 2) };
    expect([await unitsWith(full), await unitsWith({ ...full, sk: `${full.sk}x` })]).toEqual([1, 2]);
  },
);

it('the stream of the model contains every change, and no write that changes nothing', async () => {
  const model = new TableModel(tableSchema, () => 0);
  const changes: Change[] = [];
  model.storage.onChange((change) => changes.push(change));
  const { client } = modelTable(model);
  await client.send(new PutCommand({ TableName, Item: { ...Key, n: 1 } }));
  await client.send(new PutCommand({ TableName, Item: { ...Key, n: 1 } }));
  const update = { TableName, Key, UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': 1 } };
  await client.send(new UpdateCommand(update));
  expect(changes.map(({ before, after }) => [before?.n, after?.n])).toEqual([
    [undefined, 1],
    [1, 2],
  ]);
});

it('a transaction with the token of an earlier one is not made again; with other items it is refused', async () => {
  const { client } = modelTable();
  const transaction = (by: number) =>
    new TransactWriteCommand({
      ClientRequestToken: 'token',
      TransactItems: [
        { Update: { TableName, Key, UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': by } } },
      ],
    });
  await client.send(transaction(1));
  await client.send(transaction(1));
  await expect(client.send(transaction(2))).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  expect((await client.send(new GetCommand({ TableName, Key }))).Item).toMatchObject({ n: 1 });
});

it('items are deleted when their time to live has passed', async () => {
  let nowMs = 0;
  const model = new TableModel(tableSchema, () => nowMs);
  const { client } = modelTable(model);
  await client.send(new PutCommand({ TableName, Item: { ...Key, ttl: 10 } }));
  expect(model.deleteExpired()).toBe(0);
  nowMs = 11_000;
  expect(model.deleteExpired()).toBe(1);
  expect((await client.send(new GetCommand({ TableName, Key }))).Item).toBeUndefined();
});

it('REMOVE does not remove what SET has appended to a list in the same update', async () => {
  const { client } = modelTable();
  await client.send(new PutCommand({ TableName, Item: { ...Key, l: [] } }));
  const UpdateExpression = 'SET l[1] = :n REMOVE l[0]';
  const update = { TableName, Key, UpdateExpression, ExpressionAttributeValues: { ':n': 1 } };
  const { Attributes } = await client.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }));
  expect(Attributes?.l).toEqual([1]);
});

it('a query returns at most a megabyte, and continues where it ended', async () => {
  const { client } = modelTable();
  const text = 'x'.repeat(100_000);
  for (let index = 0; index < 15; index += 1)
    await client.send(new PutCommand({ TableName, Item: { pk: 'A#1', sk: String(index).padStart(2, '0'), text } }));
  const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'A#1' } };
  const first = await client.send(new QueryCommand(query));
  const second = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: first.LastEvaluatedKey }));
  expect([first.Count, second.Count, second.LastEvaluatedKey]).toEqual([11, 4, undefined]);
});

const Item = { ...Key, n: 1 };
const one = { ':n': 1 };
const updated = (UpdateExpression: string, more: object = { ExpressionAttributeValues: one }): Operation => ({
  name: 'UpdateItem',
  input: { Key, UpdateExpression, ...more },
});
const unmet = (ConditionExpression: string, ExpressionAttributeValues?: object): Operation => ({
  name: 'DeleteItem',
  input: { Key, ConditionExpression, ...(ExpressionAttributeValues && { ExpressionAttributeValues }) },
});
const put = (more: object): Operation => ({ name: 'PutItem', input: { Item: { ...Item, ...more } } });
const queried = (more: object): Operation => ({
  name: 'Query',
  input: { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'A#1' }, ...more },
});

/** What DynamoDB refuses whatever is stored. */
const refused: Readonly<Record<string, Operation>> = {
  'a reserved word as a name in an update': updated('SET status = :n'),
  'a reserved word as a name of an inner attribute': updated('SET m.Status = :n'),
  'a reserved word as a name in a condition': {
    name: 'DeleteItem',
    input: { Key, ConditionExpression: 'attribute_exists(n) OR any = :n', ExpressionAttributeValues: one },
  },
  'a reserved word as a name in a projection': { name: 'GetItem', input: { Key, ProjectionExpression: 'pk, data' } },
  'an attribute that is equal to itself': unmet('n = n'),
  'an attribute that is less than itself': unmet('m.x < m.x'),
  'an attribute between itself and a value': unmet('n BETWEEN n AND :n', one),
  'an attribute that is one of a list with itself': unmet('n IN (:n, n)', one),
  'an unused name': updated('REMOVE n', { ExpressionAttributeNames: { '#other': 'other' } }),
  'an unused value': updated('SET n = :n', { ExpressionAttributeValues: { ...one, ':other': 1 } }),
  'an unused value of a Query': queried({ ExpressionAttributeValues: { ':pk': 'A#1', ':other': 1 } }),
  'an empty list of values': updated('REMOVE n', { ExpressionAttributeValues: {} }),
  'a value that is not given': updated('SET n = :other'),
  'an invalid update whose condition is not met': updated('SET n = :other', {
    ConditionExpression: 'attribute_not_exists(pk)',
    ExpressionAttributeValues: one,
  }),
  'two actions on one attribute': updated('SET n = :n REMOVE n'),
  'two actions, one inside the other': updated('SET m.x = :n, m = :n'),
  'a map and a list at one path': updated('SET m.x = :n, m[0] = :n'),
  'a name in a binary': updated('SET b.x = :n'),
  'a name in a list': updated('SET l.x = :n'),
  'a position in a map': updated('SET m[0] = :n'),
  'two paths of a projection, one inside the other': {
    name: 'GetItem',
    input: { Key, ProjectionExpression: 'm, m.x' },
  },
  'an update of the key': updated('SET sk = :n', { ExpressionAttributeValues: { ':n': 'other' } }),
  'the same key twice in a batch of reads': { name: 'BatchGetItem', input: { Keys: [Key, Key] } },
  'the same key twice in a batch of writes': {
    name: 'BatchWriteItem',
    input: { requests: [{ PutRequest: { Item } }, { DeleteRequest: { Key } }] },
  },
  'a batch of 26 writes': {
    name: 'BatchWriteItem',
    input: {
      requests: Array.from({ length: 26 }, (_, sk) => ({ DeleteRequest: { Key: { pk: 'A', sk: String(sk) } } })),
    },
  },
  'the same key twice in a transaction': {
    name: 'TransactWriteItems',
    input: { TransactItems: [{ Put: { Item } }, { Delete: { Key } }] },
  },
  'an empty transaction': { name: 'TransactWriteItems', input: { TransactItems: [] } },
  'a number as a key of an index': put({ by1pk: 1, by1sk: 'x' }),
  'a number as a key of an index, in an update': updated('SET by1pk = :n'),
  'an empty text as a key of an index': put({ by1pk: 'P', by1sk: '' }),
  'an empty text as a key': put({ sk: '' }),
  'a key that is missing': { name: 'GetItem', input: { Key: { pk: 'A#1' } } },
  'a filter of a Query by a key': queried({ FilterExpression: 'begins_with(sk, :pk)' }),
  'a consistent read of an index': queried({
    IndexName: 'by1',
    KeyConditionExpression: 'by1pk = :pk',
    ConsistentRead: true,
  }),
  'an item of more than 400 KB': put({ text: 'x'.repeat(410_000) }),
};

describe('the model of the table refuses as DynamoDB Local does', () => {
  const modelled = modelTable();
  let table: Table;
  beforeAll(async () => {
    table = await createLocalTable();
    for (const each of [table, modelled]) await outcomeOf(each, put({ m: { x: 1 }, l: [1], b: new Uint8Array([1]) }));
  });

  it.each(Object.entries(refused))('%s', async (_, operation) => {
    const outcome = await outcomeOf(modelled, operation);
    expect(outcome).toEqual({ error: 'ValidationException' });
    expect(await outcomeOf(table, operation)).toEqual(outcome);
  });
});
