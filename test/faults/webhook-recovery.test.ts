import { afterEach, expect, it } from 'vitest';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { ConcurrentDeliverySimulation } from '../support/webhooks/concurrent-delivery-simulation.ts';

const second = 1_000;
const minute = 60 * second;
const longestProbePause = 15 * minute;
const rate = 40;

let concurrent: ConcurrentDeliverySimulation;
afterEach(() => concurrent.stop());

const members = (count: number) => Array.from({ length: count }, () => 'member.created' as const);

const gapsBetween = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));

/** The highest number of arrivals within any period of this length. */
function mostWithin(times: readonly number[], spanMs: number): number {
  let first = 0;
  return times.reduce((most, time, last) => {
    while ((times[first] ?? 0) <= time - spanMs) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}

it('a webhook endpoint that recovers after an hour is found by the next probe, and receives its backlog within its rate', async () => {
  concurrent = await ConcurrentDeliverySimulation.create(6);
  const receiver = await concurrent.givenReceiver({ ratePerSecond: rate });
  const ref = { orgId: concurrent.simulation.orgId, endpointId: receiver.endpointId };
  receiver.behaviour = 'down';
  const events: string[] = [];
  const announceEverySecond = async (seconds: number, perSecond: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      events.push(...(await concurrent.publishEvents(members(perSecond))));
      await concurrent.advance(second);
    }
  };
  await announceEverySecond(60, 40);
  await concurrent.advance(59 * minute + 17 * second);
  expect(await concurrent.simulation.hints('delivery')).toBe(2_400);
  const sinceMs = concurrent.simulation.nowMs;
  const tries = receiver.received.length;
  // The batches of the first second, which opened the circuit, and one probe at a time since.
  expect(tries).toBeLessThan(rate + 15);

  receiver.behaviour = 'healthy';
  const arrivals = () => receiver.received.slice(tries);
  const { nextProbeMs } = await readEndpointState(concurrent.simulation.table, ref);
  await concurrent.advance((nextProbeMs ?? sinceMs) - sinceMs + second);
  expect((arrivals()[0]?.atMs ?? Number.POSITIVE_INFINITY) - sinceMs).toBeLessThanOrEqual(longestProbePause + second);
  // New events continue during the drain, and after the end of the backlog.
  await announceEverySecond(150, 3);
  await concurrent.advance(2 * minute);

  expect(concurrent.errors).toEqual([]);
  expect(receiver.forgeries).toEqual([]);
  expect([...receiver.acknowledged].sort()).toEqual(events.sort());
  expect(receiver.repeats).toEqual([]);
  const times = arrivals().map(({ atMs }) => atMs);
  const [firstMs = 0] = times;
  expect(Math.min(...gapsBetween(times))).toBeGreaterThanOrEqual(second / rate);
  expect(mostWithin(times, second)).toBeLessThanOrEqual(rate);
  // From one a second, doubling every five seconds.
  for (const [index, most] of [1, 2, 4, 8, 16, 32].entries()) {
    const step = times.filter(
      (time) => time >= firstMs + index * 5 * second && time < firstMs + (index + 1) * 5 * second,
    );
    expect(mostWithin(step, second)).toBeLessThanOrEqual(most);
  }
  expect([await concurrent.simulation.hints('delivery'), await concurrent.simulation.hints('backlog')]).toEqual([0, 0]);
  expect(await readEndpointState(concurrent.simulation.table, ref)).toMatchObject({
    held: false,
    failures: 0,
    openedMs: null,
  });
});

it('a webhook endpoint whose backlog fills and empties repeatedly never receives more than its rate, direct or from the backlog', async () => {
  concurrent = await ConcurrentDeliverySimulation.create(7);
  const receiver = await concurrent.givenReceiver({ ratePerSecond: 4 });
  const events: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    events.push(...(await concurrent.publishEvents(members((step * 7) % 9))));
    await concurrent.advance(300 + ((step * 613) % 2_400));
  }
  await concurrent.advance(minute);
  expect(concurrent.errors).toEqual([]);
  expect(receiver.received.map(({ eventId }) => eventId).sort()).toEqual(events.sort());
  expect(Math.min(...gapsBetween(receiver.received.map(({ atMs }) => atMs)))).toBeGreaterThanOrEqual(second / 4);
});
