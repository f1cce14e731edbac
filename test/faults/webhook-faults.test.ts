import { afterEach, expect, it } from 'vitest';
import type { WebhookEventType } from '../../shared/domain/webhooks/event-types.ts';
import { ConcurrentDeliverySimulation } from '../support/webhooks/concurrent-delivery-simulation.ts';

const second = 1_000;
const hour = 3_600 * second;

let concurrent: ConcurrentDeliverySimulation;
afterEach(() => concurrent.stop());

/** Each type has its own receiver. */
const types = {
  well: 'order.completed',
  slow: 'ticket.scanned',
  shaky: 'member.created',
  away: 'member.updated',
  stuck: 'order.cancelled',
} as const satisfies Record<string, WebhookEventType>;
const everyType = Object.values(types);

async function publishAll(published: Map<string, string[]>): Promise<void> {
  for (const type of everyType) {
    const ids = await concurrent.publishEvents([type, type, type, type]);
    published.set(type, [...(published.get(type) ?? []), ...ids]);
  }
}

const unfinished = async () =>
  (await concurrent.simulation.hints('delivery')) + (await concurrent.simulation.hints('outbox'));

it('webhook fault test: thousands of events all arrive while functions are killed, queues lose and duplicate, and receivers fail; only a killed function repeats a delivery', async () => {
  concurrent = await ConcurrentDeliverySimulation.create(20_261_115);
  const givenReceiverOf = (type: WebhookEventType, ratePerSecond = 50) =>
    concurrent.givenReceiver({ types: [type], ratePerSecond });
  const receivers = {
    well: await givenReceiverOf(types.well),
    slow: await givenReceiverOf(types.slow, 2),
    shaky: await givenReceiverOf(types.shaky),
    away: await givenReceiverOf(types.away),
    stuck: await givenReceiverOf(types.stuck),
  };
  receivers.shaky.behaviour = 'flaky';
  concurrent.queue.faults = { killed: 0.08, doubled: 0.08, lost: 0.02 };
  const published = new Map<string, string[]>();
  let emptied = 0;
  // Ten minutes with four events a second.
  for (let step = 0; step < 40; step += 1) {
    receivers.away.behaviour = step >= 8 && step < 24 ? 'down' : 'healthy';
    receivers.stuck.behaviour = step >= 12 && step < 20 ? 'hanging' : 'healthy';
    for (let burst = 0; burst < 3; burst += 1) {
      await publishAll(published);
      await concurrent.advance(5 * second);
    }
    if (step % 9 === 5) emptied += concurrent.queue.empty();
  }
  for (let hours = 0; hours < 48 && (await unfinished()) > 0; hours += 1) await concurrent.advance(hour);

  expect(concurrent.errors).toEqual([]);
  expect(emptied).toBeGreaterThan(0);
  for (const [name, type] of Object.entries(types)) {
    const receiver = receivers[name as keyof typeof types];
    const events = published.get(type) ?? [];
    expect(events).toHaveLength(480);
    expect([...receiver.acknowledged].sort(), name).toEqual(events.sort());
    expect(receiver.forgeries, name).toEqual([]);
  }
  const times = receivers.slow.received.map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
  const repeats = concurrent.receivers.flatMap(({ endpointId, repeats: ids }) =>
    ids.map((id) => `${endpointId} ${id}`),
  );
  expect(repeats.length).toBeLessThanOrEqual(concurrent.kills + concurrent.queue.doubled);
  // Duplicate messages repeat nothing, and a kill repeats only what was acknowledged and not yet stored.
  expect(repeats.sort()).toEqual(concurrent.unrecorded.sort());
});
