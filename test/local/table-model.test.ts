import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { Change } from '../../local/cloud/dynamodb/model/storage.ts';
import { TableModel } from '../../local/cloud/dynamodb/model/table-model.ts';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { expectSameOutcomes, modelTable } from '../support/model-table.ts';

const TableName = 'model';
const Key = { pk: 'A#1', sk: '#' };

it('the model of the table answers random operations as DynamoDB Local does', () => expectSameOutcomes(250));

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
