import { describe, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { DeliverySimulation } from '../support/webhooks/delivery-simulation.ts';

const minute = 60_000;

/**
 * Runs `scene` again and again, each time with a function that dies at the next of its calls to the table, before or after
 * it was made, until one run needs no more calls than that. After each the sweeper and the queues have ten minutes.
 */
async function atEveryStep(
  scene: (simulation: DeliverySimulation, dying: (table: Table) => void) => Promise<void>,
  check: (simulation: DeliverySimulation) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step += 1) {
    for (const moment of ['before', 'after'] as const) {
      const simulation = await DeliverySimulation.create();
      const { table, hasCrashed } = crashingTable(simulation.table, step, moment);
      let crashes = 0;
      const onCrash = () => {
        crashes += 1;
        // The next instance is a new one.
        simulation.functionTable = simulation.table;
      };
      await scene(simulation, () => {
        simulation.functionTable = table;
      }).catch(onCrash);
      await simulation.pass(10 * minute, onCrash);
      await check(simulation);
      expect(crashes).toBe(hasCrashed() ? 1 : 0);
      if (!hasCrashed()) return step;
    }
  }
}

async function expectAllDelivered(simulation: DeliverySimulation, events: number, endpoints: number): Promise<void> {
  const seen = new Set(simulation.arrivals.map(({ id, url }) => `${id} ${url}`));
  expect(seen.size).toBe(events * endpoints);
  expect(simulation.arrivals.length).toBeLessThanOrEqual(seen.size + 1);
  for (const kind of ['delivery', 'backlog'] as const) expect(await simulation.hints(kind)).toBe(0);
}

describe('a function that dies at any step loses nothing and repeats at most one delivery', () => {
  it('while it fans an event out', async () => {
    const steps = await atEveryStep(
      async (simulation, die) => {
        for (let count = 0; count < 2; count += 1) await simulation.givenEndpoint();
        const [eventId = ''] = await simulation.announce(1);
        die(simulation.table);
        try {
          await simulation.fanOut(eventId);
        } catch (error) {
          simulation.functionTable = simulation.table;
          // The row is still pending: the outbox's sweeper brings the event again.
          await simulation.fanOut(eventId);
          throw error;
        }
      },
      (simulation) => expectAllDelivered(simulation, 1, 2),
    );
    expect(steps).toBeGreaterThan(3);
  });

  it('while it delivers', async () => {
    const steps = await atEveryStep(
      async (simulation, die) => {
        await simulation.givenEndpoint();
        await simulation.happen(1);
        die(simulation.table);
        await simulation.handleVisible();
      },
      (simulation) => expectAllDelivered(simulation, 1, 1),
    );
    expect(steps).toBeGreaterThan(5);
  });

  it('while it notes that an attempt failed', async () => {
    await atEveryStep(
      async (simulation, die) => {
        await simulation.givenEndpoint();
        await simulation.happen(1);
        simulation.answer = () => ({ kind: 'answer', status: simulation.arrivals.length > 1 ? 200 : 503 });
        die(simulation.table);
        await simulation.handleVisible();
      },
      async (simulation) => {
        const acknowledged = simulation.arrivals.length - 1;
        expect(acknowledged).toBeGreaterThanOrEqual(1);
        expect(acknowledged).toBeLessThanOrEqual(2);
        expect(await simulation.hints('delivery')).toBe(0);
      },
    );
  });

  it('while it works through a line', async () => {
    const steps = await atEveryStep(
      async (simulation, die) => {
        await simulation.givenEndpoint({ ratePerSecond: 1 });
        await simulation.happen(4);
        const [first, ...rest] = simulation.messages;
        simulation.messages = rest;
        await simulation.handleVisible();
        if (first !== undefined) simulation.messages.push(first);
        die(simulation.table);
        await simulation.handleVisible();
      },
      (simulation) => expectAllDelivered(simulation, 4, 1),
    );
    expect(steps).toBeGreaterThan(5);
  });

  it('while it sweeps', async () => {
    const steps = await atEveryStep(
      async (simulation, die) => {
        await simulation.givenEndpoint();
        await simulation.happen(2);
        simulation.messages = [];
        simulation.leap(3 * minute);
        die(simulation.table);
        await simulation.sweep();
      },
      (simulation) => expectAllDelivered(simulation, 2, 1),
    );
    expect(steps).toBeGreaterThan(5);
  });
});
