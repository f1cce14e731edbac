import { afterEach, expect, it } from 'vitest';
import type { WebhookEventType } from '../../shared/domain/webhooks/event-types.ts';
import { DeliveryPopulation } from '../support/webhooks/concurrent-delivery-simulation.ts';

const second = 1_000;
const hour = 3_600 * second;

let crowd: DeliveryPopulation;
afterEach(() => crowd.stop());

/** Each has a receiver of its own. */
const types = {
  well: 'order.completed',
  slow: 'ticket.scanned',
  shaky: 'member.created',
  away: 'member.updated',
  stuck: 'order.cancelled',
} as const satisfies Record<string, WebhookEventType>;
const everyType = Object.values(types);

async function happen(happened: Map<string, string[]>): Promise<void> {
  for (const type of everyType) {
    const ids = await crowd.happen([type, type, type, type]);
    happened.set(type, [...(happened.get(type) ?? []), ...ids]);
  }
}

const unfinished = async () => (await crowd.simulation.hints('delivery')) + (await crowd.simulation.hints('outbox'));

it('thousands of events, while functions are killed, queues lose and repeat, and receivers fail, all arrive; again only what a function was killed over', async () => {
  crowd = await DeliveryPopulation.gather(20_261_115);
  const given = (type: WebhookEventType, ratePerSecond = 50) => crowd.givenReceiver({ types: [type], ratePerSecond });
  const receivers = {
    well: await given(types.well),
    slow: await given(types.slow, 2),
    shaky: await given(types.shaky),
    away: await given(types.away),
    stuck: await given(types.stuck),
  };
  receivers.shaky.behaviour = 'shaky';
  crowd.queue.faults = { killed: 0.08, doubled: 0.08, lost: 0.02 };
  const happened = new Map<string, string[]>();
  let emptied = 0;
  // Ten minutes, four events a second.
  for (let step = 0; step < 40; step += 1) {
    receivers.away.behaviour = step >= 8 && step < 24 ? 'down' : 'well';
    receivers.stuck.behaviour = step >= 12 && step < 20 ? 'hanging' : 'well';
    for (let burst = 0; burst < 3; burst += 1) {
      await happen(happened);
      await crowd.pass(5 * second);
    }
    if (step % 9 === 5) emptied += crowd.queue.empty();
  }
  for (let hours = 0; hours < 48 && (await unfinished()) > 0; hours += 1) await crowd.pass(hour);

  expect(crowd.errors).toEqual([]);
  expect(emptied).toBeGreaterThan(0);
  for (const [name, type] of Object.entries(types)) {
    const receiver = receivers[name as keyof typeof types];
    const events = happened.get(type) ?? [];
    expect(events).toHaveLength(480);
    expect([...receiver.acknowledged].sort(), name).toEqual(events.sort());
    expect(receiver.forgeries, name).toEqual([]);
  }
  const times = receivers.slow.received.map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
  const repeats = crowd.receivers.flatMap(({ endpointId, repeats: ids }) => ids.map((id) => `${endpointId} ${id}`));
  expect(repeats.length).toBeLessThanOrEqual(crowd.kills + crowd.queue.doubled);
  // To be exact: messages that come twice repeat nothing, and a kill only what was answered and not yet written down.
  expect(repeats.sort()).toEqual(crowd.unrecorded.sort());
});
