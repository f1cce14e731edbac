import { beforeEach, expect, it } from 'vitest';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { enqueue } from '../../../shared/webhooks/enqueue.ts';
import { DeliverySimulation } from '../../support/webhooks/delivery-simulation.ts';

let simulation: DeliverySimulation;
let endpointId: string;

beforeEach(async () => {
  simulation = await DeliverySimulation.create();
  endpointId = await simulation.givenEndpoint({ ratePerSecond: 10 });
});

async function callsOf(work: () => Promise<void>): Promise<number> {
  simulation.table.meter.reset();
  await work();
  return simulation.table.meter.calls;
}

it('a webhook delivery that is sent directly costs five table calls', async () => {
  await simulation.publishEvents(1);
  expect(await callsOf(() => simulation.handleVisible())).toBe(5);
  expect(simulation.arrivals).toHaveLength(1);
});

it('a webhook delivery from the backlog costs two table calls, and its share of the reads for the whole backlog', async () => {
  const ref = { orgId: simulation.orgId, endpointId };
  for (const eventId of await simulation.publishEvents(20)) {
    const delivery = await simulation.delivery(endpointId, eventId);
    if (delivery !== undefined)
      await enqueue(simulation.deps, delivery, await readEndpointState(simulation.table, ref));
  }
  // The messages of the deliveries themselves would find them in the backlog. Only the work of the woken backlog counts
  // here.
  simulation.messages = simulation.messages.filter(({ kind }) => kind === 'backlog').slice(0, 1);
  const calls = await callsOf(() => simulation.handleVisible());
  expect(simulation.arrivals).toHaveLength(20);
  expect(calls).toBeGreaterThan(2 * 20);
  expect(calls).toBeLessThan(2 * 20 + 12);
});
