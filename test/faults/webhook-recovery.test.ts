import { afterEach, expect, it } from 'vitest';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { DeliveryPopulation } from '../support/webhooks/concurrent-delivery-simulation.ts';

const second = 1_000;
const minute = 60 * second;
const longestProbePause = 15 * minute;
const rate = 40;

let crowd: DeliveryPopulation;
afterEach(() => crowd.stop());

const members = (count: number) => Array.from({ length: count }, () => 'member.created' as const);

const gapsBetween = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));

/** The most that arrived within any stretch of this length. */
function fullest(times: readonly number[], spanMs: number): number {
  let first = 0;
  return times.reduce((most, time, last) => {
    while ((times[first] ?? 0) <= time - spanMs) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}

it('a receiver that comes back after an hour with thousands waiting is found by the next probe, gets all of it and never more than its rate', async () => {
  crowd = await DeliveryPopulation.gather(6);
  const receiver = await crowd.givenReceiver({ ratePerSecond: rate });
  const ref = { orgId: crowd.simulation.orgId, endpointId: receiver.endpointId };
  receiver.behaviour = 'down';
  const events: string[] = [];
  const happenEverySecond = async (seconds: number, perSecond: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      events.push(...(await crowd.happen(members(perSecond))));
      await crowd.pass(second);
    }
  };
  await happenEverySecond(60, 40);
  await crowd.pass(59 * minute + 17 * second);
  expect(await crowd.simulation.hints('delivery')).toBe(2_400);
  const sinceMs = crowd.simulation.nowMs;
  const tries = receiver.received.length;
  // A dozen of the straight way, which opened the circuit, and one probe at a time since.
  expect(tries).toBeLessThan(30);

  receiver.behaviour = 'well';
  const arrivals = () => receiver.received.slice(tries);
  const { nextProbeMs } = await readEndpointState(crowd.simulation.table, ref);
  await crowd.pass((nextProbeMs ?? sinceMs) - sinceMs + second);
  expect((arrivals()[0]?.atMs ?? Number.POSITIVE_INFINITY) - sinceMs).toBeLessThanOrEqual(longestProbePause + second);
  // The present goes on meanwhile, and beyond the end of the line.
  await happenEverySecond(150, 3);
  await crowd.pass(2 * minute);

  expect(crowd.errors).toEqual([]);
  expect(receiver.forgeries).toEqual([]);
  expect([...receiver.acknowledged].sort()).toEqual(events.sort());
  expect(receiver.repeats).toEqual([]);
  const times = arrivals().map(({ atMs }) => atMs);
  const [firstMs = 0] = times;
  expect(Math.min(...gapsBetween(times))).toBeGreaterThanOrEqual(second / rate);
  expect(fullest(times, second)).toBeLessThanOrEqual(rate);
  // From one a second, doubling every five.
  for (const [index, most] of [1, 2, 4, 8, 16, 32].entries()) {
    const step = times.filter(
      (time) => time >= firstMs + index * 5 * second && time < firstMs + (index + 1) * 5 * second,
    );
    expect(fullest(step, second)).toBeLessThanOrEqual(most);
  }
  expect([await crowd.simulation.hints('delivery'), await crowd.simulation.hints('backlog')]).toEqual([0, 0]);
  expect(await readEndpointState(crowd.simulation.table, ref)).toMatchObject({
    held: false,
    failures: 0,
    openedMs: null,
  });
});

it('an endpoint whose line fills and empties all the time is never sent more than its rate, by whichever way', async () => {
  crowd = await DeliveryPopulation.gather(7);
  const receiver = await crowd.givenReceiver({ ratePerSecond: 4 });
  const events: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    events.push(...(await crowd.happen(members((step * 7) % 9))));
    await crowd.pass(300 + ((step * 613) % 2_400));
  }
  await crowd.pass(minute);
  expect(crowd.errors).toEqual([]);
  expect(receiver.received.map(({ eventId }) => eventId).sort()).toEqual(events.sort());
  expect(Math.min(...gapsBetween(receiver.received.map(({ atMs }) => atMs)))).toBeGreaterThanOrEqual(second / 4);
});
