import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { hang, type Receiver, respondWith, startReceiver } from '../support/webhooks/receiver.ts';
import { announceEvents, deliveriesOf, givenEndpoint, type Integrator } from '../support/webhooks/service-fixture.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';

const orgIds = Array.from({ length: 10 }, (_, index) => `org_club${index}`);
const scheduled = 'org_scheduled';
const batchClientConfig = { timeout: 120_000, interval: 100 };

let service: Service;
let integrators: Integrator[];
beforeAll(async () => {
  service = await startService([...orgIds, scheduled]);
  integrators = await Promise.all(orgIds.map(async (orgId) => ({ orgId, key: await service.newKey(orgId) })));
});
afterAll(() => service.stop());

/** Ten organisations with one healthy endpoint each. */
async function givenReceivers(): Promise<Receiver[]> {
  return Promise.all(
    integrators.map(async (integrator) => {
      const receiver = await startReceiver();
      await givenEndpoint(service, integrator, { url: receiver.url });
      return receiver;
    }),
  );
}

const nowMs = () => service.cloud.clock.now();

describe('webhook retry schedule over HTTP, by moving the clock', () => {
  const steps = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it('a webhook is attempted eleven times with the same id and a valid signature, and then given up', async () => {
    const integrator = { orgId: scheduled, key: await service.newKey(scheduled) };
    const receiver = await startReceiver();
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    // The receiver refuses this one event.
    let refusedEvent: string | undefined;
    const attempts = () => receiver.arrivals.filter(({ headers }) => headers['webhook-id'] === refusedEvent);
    receiver.respond = (arrival, ...rest) => {
      refusedEvent ??= arrival.headers['webhook-id'];
      expect(verifySignature(arrival, secret)).toMatchObject({ id: arrival.headers['webhook-id'] });
      respondWith(arrival.headers['webhook-id'] === refusedEvent ? 500 : 200)(arrival, ...rest);
    };
    const log = async () =>
      (await deliveriesOf(service, integrator, id)).find(({ event_id }) => event_id === refusedEvent);
    await announceEvents(service, integrator.orgId);
    for (const [index, step] of steps.entries()) {
      await expect.poll(log, batchClientConfig).toMatchObject({ status: 'waiting', attempts: { length: index + 1 } });
      const { attempts: made = [], next_attempt_at: next } = (await log()) ?? {};
      const wait = (next ?? 0) - (made.at(-1)?.at ?? 0);
      // Times are in whole seconds, and an attempt may take one.
      expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(step * 1.2) + 1);
      // Other events are acknowledged now and then, so the circuit stays closed.
      if (index === 5) await announceEvents(service, integrator.orgId);
      const moved = Date.now();
      service.cloud.clock.advance(Math.max(0, (next ?? 0) - nowMs() / 1000));
      await expect.poll(() => attempts().length, batchClientConfig).toBe(index + 2);
      const delayOf = ((attempts().at(-1)?.atMs ?? 0) + service.cloud.clock.aheadMs) / 1000 - (next ?? 0);
      expect(delayOf).toBeGreaterThanOrEqual(-1);
      // The margin depends on how slow this machine is.
      expect(delayOf).toBeLessThanOrEqual(Math.ceil((Date.now() - moved) / 1000) + 1);
    }
    await expect
      .poll(log, batchClientConfig)
      .toMatchObject({ status: 'dead', attempts: { length: 11 }, next_attempt_at: null });
    expect(new Set(attempts().map(({ body }) => body)).size).toBe(1);
    await receiver.stop();
  });
});

describe('one hanging webhook endpoint among ten, with half of the traffic', () => {
  /** Longer than it takes until the circuit opens, so the worst phase is included. */
  const rounds = 90;
  const pauseMs = 400;
  const smallMultiple = 5;

  /** The median and the slow end of the time between writing and receiving an event, for the first nine endpoints. */
  async function latencies(
    receivers: readonly Receiver[],
    { isTenthBusy, count = rounds }: { isTenthBusy: boolean; count?: number },
  ): Promise<{ p50: number; p95: number }> {
    const nine = receivers.slice(0, 9);
    for (const receiver of nine) receiver.arrivals.length = 0;
    for (let round = 0; round < count; round += 1) {
      const pause = sleep(pauseMs);
      await announceEvents(service, orgIds[round % 9] ?? '');
      if (isTenthBusy) await announceEvents(service, orgIds[9] ?? '');
      await pause;
    }
    const arrivals = () => nine.flatMap((receiver) => receiver.arrivals);
    await expect.poll(() => arrivals().length, batchClientConfig).toBe(count);
    const offsetMs = nowMs() - Date.now();
    const took = arrivals()
      .map(({ atMs, body }) => atMs + offsetMs - Date.parse(JSON.parse(body).timestamp))
      .sort((one, other) => one - other);
    const at = (share: number) => took[Math.floor(share * took.length)] ?? Number.POSITIVE_INFINITY;
    return { p50: at(0.5), p95: at(0.95) };
  }

  it('a hanging webhook endpoint hardly delays the other nine', async () => {
    const receivers = await givenReceivers();
    const hanging = receivers[9];
    // Every function has started once.
    await latencies(receivers, { isTenthBusy: true, count: 18 });
    const without = await latencies(receivers, { isTenthBusy: false });
    if (hanging !== undefined) hanging.respond = hang;
    const before = hanging?.arrivals.length ?? 0;
    const callerItems = await latencies(receivers, { isTenthBusy: true });
    // Its circuit opened, and it received only probes.
    expect((hanging?.arrivals.length ?? 0) - before).toBeGreaterThanOrEqual(5);
    expect((hanging?.arrivals.length ?? 0) - before).toBeLessThan(rounds);
    expect(callerItems.p50).toBeLessThan(smallMultiple * without.p50);
    expect(callerItems.p95).toBeLessThan(smallMultiple * without.p95);
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });
});
