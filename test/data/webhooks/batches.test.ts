import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { itemBytes } from '../../../local/cloud/dynamodb/model/item-size.ts';
import { endpointStateKey } from '../../../shared/data/table/keys.ts';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { changeEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { countUnanswered } from '../../../shared/data/webhooks/send-slots.ts';
import { createTestTable } from '../../support/table.ts';
import { DeliverySimulation } from '../../support/webhooks/delivery-simulation.ts';

const minute = 60_000;
let simulation: DeliverySimulation;
let endpointId: string;
let ref: { orgId: string; endpointId: string };

beforeEach(async () => {
  simulation = new DeliverySimulation((await createTestTable()).table);
  endpointId = await simulation.givenEndpoint({ ratePerSecond: 100 });
  ref = { orgId: simulation.orgId, endpointId };
});

const hints = async () => [
  await simulation.hints('outbox'),
  await simulation.hints('delivery'),
  await simulation.hints('backlog'),
];

it('a batch of new deliveries is sent once, although its messages come again in other batches', async () => {
  await simulation.publishEvents(12);
  const messages = [...simulation.messages];
  await simulation.handleVisible();
  simulation.messages = [...messages.slice(7), ...messages.slice(0, 9)];
  await simulation.handleVisible();
  await simulation.advance(5 * minute);
  expect(new Set(simulation.arrivals.map(({ id }) => id)).size).toBe(12);
  expect(simulation.arrivals).toHaveLength(12);
  expect(await hints()).toEqual([0, 0, 0]);
});

it('new deliveries whose messages are all lost are made after the sweeper has checked their events', async () => {
  const lost = await simulation.publishEvents(2);
  simulation.messages = [];
  const sent = await simulation.publishEvents(1);
  await simulation.advance(5 * minute);
  expect(simulation.arrivals.map(({ id }) => id).sort()).toEqual([...lost, ...sent].sort());
  expect(await hints()).toEqual([0, 0, 0]);
});

it('an endpoint that was disabled gets nothing more at once, and its deliveries wait for it', async () => {
  const [eventId = ''] = await simulation.publishEvents(1);
  await changeEndpoint(simulation.table, ref, { change: (endpoint) => ({ ...endpoint, status: 'disabled' }) });
  await simulation.advance(5 * minute);
  expect(simulation.arrivals).toEqual([]);
  expect(await simulation.delivery(endpointId, eventId)).toMatchObject({ status: 'parked' });
});

it('an endpoint with five slow responses gets new deliveries only from its backlog', async () => {
  await simulation.publishEvents(1);
  await simulation.handleVisible();
  for (let slow = 0; slow < 5; slow += 1) await countUnanswered(simulation.table, ref, 1);
  await simulation.publishEvents(3);
  await simulation.handleVisible();
  expect(simulation.arrivals).toHaveLength(4);
  expect(await simulation.hints('delivery')).toBe(0);
  // The worker of the backlog has released it, and what was counted before is forgotten.
  expect(await readEndpointState(simulation.table, ref)).toMatchObject({ version: 2, held: false, unanswered: 0 });
});

it('the state of an endpoint does not grow with the deliveries that it gets', async () => {
  const bytes = async () => {
    const Key = endpointStateKey(simulation.orgId, endpointId);
    const { Item = {} } = await simulation.table.client.send(
      new GetCommand({ TableName: simulation.table.name, Key, ConsistentRead: true }),
    );
    return itemBytes(Item);
  };
  const sizes: number[] = [];
  for (const count of [1, 10, 10]) {
    await simulation.publishEvents(count);
    await simulation.handleVisible();
    sizes.push(await bytes());
  }
  expect(sizes[1]).toBeLessThan(1_024);
  expect(sizes[2]).toBe(sizes[1]);
});
