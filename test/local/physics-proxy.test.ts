import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PhysicsProxy, startPhysicsProxy } from '../../local/cloud/dynamodb/physics/physics-proxy.ts';
import { seededRandom } from '../../local/cloud/dynamodb/physics/random.ts';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTestTable, testClientConfig, testEndpoint } from '../support/table.ts';

const Key = { pk: 'A#1', sk: '#' };
let proxy: PhysicsProxy;
let table: Table;

beforeAll(async () => {
  const held = { medianMs: 2_000, p99Ms: 2_000 };
  proxy = await startPhysicsProxy(testEndpoint(), tableSchema, { random: seededRandom(1), latencies: { held } });
  const { name } = (await createTestTable()).table;
  table = openTable(name, { ...testClientConfig(), ...batchClientConfig, endpoint: proxy.endpoint });
});
afterAll(() => proxy.stop());

const add = () => ({
  TableName: table.name,
  Key,
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': 1 },
});

it('a table behind the physics of AWS refuses one of two transactions that meet, and a write that meets one', async () => {
  const transact = () => table.client.send(new TransactWriteCommand({ TransactItems: [{ Update: add() }] }));
  const outcomes = await Promise.allSettled([transact(), transact(), table.client.send(new UpdateCommand(add()))]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  // Whichever comes first is made: what was refused has changed nothing.
  expect(Item?.n).toBe(outcomes.length - refused.length);
  expect(refused.length).toBeGreaterThan(0);
  expect(proxy.physics.counts.conflicts).toBe(refused.length);
  const codes = refused.map(({ name, CancellationReasons = [] }) => CancellationReasons[0]?.Code ?? name);
  expect(codes).toEqual(expect.arrayContaining(['TransactionConflict']));
});
