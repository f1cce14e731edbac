import { describe, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { holdBacklog } from '../../shared/webhooks/enqueue.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { createTestTable } from '../support/table.ts';
import { crashMoments, crashPoints } from '../support/thorough.ts';
import { DeliverySimulation } from '../support/webhooks/delivery-simulation.ts';

const minute = 60_000;

/**
 * Runs `scenario` repeatedly, each time with a function that crashes at another of its table calls, before or after
 * the call, until a run needs fewer calls. After each run the sweeper and the queues have ten minutes.
 */
async function atEveryStep(
  scenario: (simulation: DeliverySimulation, startCrashing: (table: Table) => void) => Promise<void>,
  check: (simulation: DeliverySimulation, crashedMs: number | undefined) => Promise<void>,
): Promise<number> {
  for (const step of crashPoints()) {
    for (const moment of crashMoments) {
      const simulation = new DeliverySimulation((await createTestTable()).table);
      const { table, hasCrashed } = crashingTable(simulation.table, step, moment);
      let crashes = 0;
      let crashedMs: number | undefined;
      const onCrash = () => {
        crashes += 1;
        crashedMs = simulation.nowMs;
        // The next instance is a new one.
        simulation.functionTable = simulation.table;
      };
      await scenario(simulation, () => {
        simulation.functionTable = table;
      }).catch(onCrash);
      await simulation.advance(10 * minute, onCrash);
      await check(simulation, crashedMs);
      expect(crashes).toBe(hasCrashed() ? 1 : 0);
      if (!hasCrashed()) return step;
    }
  }
  return 0;
}

async function expectAllDelivered(
  simulation: DeliverySimulation,
  { events, endpoints = 1, maxRepeats }: { events: number; endpoints?: number; maxRepeats: number },
): Promise<void> {
  const seen = new Set(simulation.arrivals.map(({ id, url }) => `${id} ${url}`));
  expect(seen.size).toBe(events * endpoints);
  expect(simulation.arrivals.length).toBeLessThanOrEqual(seen.size + maxRepeats);
  for (const kind of ['delivery', 'backlog', 'outbox'] as const) expect(await simulation.hints(kind)).toBe(0);
}

describe('webhook functions that crash at any call lose nothing and repeat at most their batch', () => {
  it('a webhook fan-out that crashes at any call delivers every event', async () => {
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        for (let count = 0; count < 2; count += 1) await simulation.givenEndpoint();
        const [eventId = ''] = await simulation.announce(1);
        startCrashing(simulation.table);
        // After a crash the event is still pending: the sweeper of the outbox publishes it again.
        await simulation.fanOut(eventId);
      },
      (simulation) => expectAllDelivered(simulation, { events: 1, endpoints: 2, maxRepeats: 2 }),
    );
    expect(steps).toBeGreaterThan(3);
  });

  it('a batch of webhook deliveries whose function crashes at any call is delivered, and repeated at most once', async () => {
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        await simulation.givenEndpoint();
        await simulation.publishEvents(3);
        startCrashing(simulation.table);
        await simulation.handleVisible();
      },
      (simulation) => expectAllDelivered(simulation, { events: 3, maxRepeats: 3 }),
    );
    expect(steps).toBeGreaterThan(5);
  });

  it('a webhook delivery that crashes while it stores a failed attempt is delivered', async () => {
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        await simulation.givenEndpoint();
        await simulation.publishEvents(1);
        simulation.respond = () => ({ kind: 'answer', status: simulation.arrivals.length > 1 ? 200 : 503 });
        startCrashing(simulation.table);
        await simulation.handleVisible();
      },
      async (simulation) => {
        const acknowledged = simulation.arrivals.length - 1;
        expect(acknowledged).toBeGreaterThanOrEqual(1);
        expect(acknowledged).toBeLessThanOrEqual(2);
        expect(await simulation.hints('delivery')).toBe(0);
      },
    );
    expect(steps).toBeGreaterThan(20);
  });

  it('a webhook backlog drain that crashes at any call delivers the whole backlog', async () => {
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        await simulation.givenEndpoint({ ratePerSecond: 1 });
        await simulation.publishEvents(4);
        const [first, ...rest] = simulation.messages;
        simulation.messages = rest;
        await simulation.handleVisible();
        if (first !== undefined) simulation.messages.push(first);
        startCrashing(simulation.table);
        await simulation.handleVisible();
      },
      (simulation) => expectAllDelivered(simulation, { events: 4, maxRepeats: 4 }),
    );
    expect(steps).toBeGreaterThan(5);
  });

  it('arrivals resume within 30 seconds after the worker of a backlog has crashed at any call', async () => {
    const events = 6;
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        const endpointId = await simulation.givenEndpoint({ ratePerSecond: 1 });
        const ref = { orgId: simulation.orgId, endpointId };
        await holdBacklog(simulation.deps, ref, await readEndpointState(simulation.table, ref));
        const ids = await simulation.publishEvents(events);
        simulation.messages = [];
        for (const eventId of ids)
          await deliver(simulation.deps, { ...ref, eventId, type: 'member.created', forced: false });
        // One message wakes the backlog, and nothing is published from now on.
        simulation.messages = simulation.messages.slice(0, 1);
        startCrashing(simulation.table);
        await simulation.handleVisible();
      },
      async (simulation, crashedMs) => {
        const after = simulation.arrivals.filter(({ atMs }) => atMs > (crashedMs ?? 0));
        // A worker claims what it sends within two seconds. Those deliveries wait until their claims end.
        const hasOthers = simulation.arrivals.length - after.length < events - 4;
        // Before it has the lease, a worker has not planned who takes over.
        const hasBegun = simulation.arrivals.length > after.length;
        if (crashedMs !== undefined && hasBegun && hasOthers)
          expect((after[0]?.atMs ?? Number.POSITIVE_INFINITY) - crashedMs).toBeLessThanOrEqual(30_000);
        // A crash after the acknowledgements were stored leaves their hints, which are due after half an hour.
        await simulation.advance(31 * minute);
        await expectAllDelivered(simulation, { events, maxRepeats: events });
      },
    );
    expect(steps).toBeGreaterThan(10);
  });

  it('a webhook sweep that crashes at any call delivers every event', async () => {
    const steps = await atEveryStep(
      async (simulation, startCrashing) => {
        await simulation.givenEndpoint();
        await simulation.publishEvents(2);
        simulation.messages = [];
        simulation.skip(3 * minute);
        startCrashing(simulation.table);
        await simulation.sweep();
      },
      (simulation) => expectAllDelivered(simulation, { events: 2, maxRepeats: 2 }),
    );
    expect(steps).toBeGreaterThan(5);
  });
});
