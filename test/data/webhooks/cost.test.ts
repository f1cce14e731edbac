import { beforeEach, expect, it } from 'vitest';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import { holdBacklog } from '../../../shared/webhooks/enqueue.ts';
import { createTestTable } from '../../support/table.ts';
import { DeliverySimulation } from '../../support/webhooks/delivery-simulation.ts';

let simulation: DeliverySimulation;
let endpointId: string;

beforeEach(async () => {
  simulation = new DeliverySimulation((await createTestTable()).table);
  endpointId = await simulation.givenEndpoint();
});

async function callsOf(work: () => Promise<void>): Promise<number> {
  simulation.table.meter.reset();
  await work();
  return simulation.table.meter.calls;
}

it.each([1, 5])(
  '%d new webhook deliveries to one endpoint cost one table call for the fan-out of each, and four for all',
  async (count) => {
    const events = await simulation.announce(count);
    const fannedOut = await callsOf(async () => {
      for (const eventId of events) await simulation.fanOut(eventId);
    });
    expect(fannedOut).toBe(count);
    expect(await callsOf(() => simulation.handleVisible())).toBe(4);
    expect(simulation.arrivals).toHaveLength(count);
  },
);

it('webhook deliveries from the backlog cost a claim each, and their share of the calls for the whole backlog', async () => {
  const ref = { orgId: simulation.orgId, endpointId };
  await holdBacklog(simulation.deps, ref, await readEndpointState(simulation.table, ref));
  for (const eventId of await simulation.publishEvents(20))
    await deliver(simulation.deps, { ...ref, eventId, type: 'member.created', forced: false });
  // The messages of the deliveries themselves would find them in the backlog. Only the work of the woken backlog counts
  // here.
  simulation.messages = simulation.messages.filter(({ kind }) => kind === 'backlog').slice(0, 1);
  const calls = await callsOf(() => simulation.handleVisible());
  expect(simulation.arrivals).toHaveLength(20);
  expect(calls).toBeGreaterThan(20);
  expect(calls).toBeLessThan(20 + 15);
});
