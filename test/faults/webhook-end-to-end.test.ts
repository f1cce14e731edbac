import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { answerWith, hang, type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { deliveriesOf, givenEndpoint, happen, type Integrator } from '../support/webhooks/service-fixture.ts';
import { verified } from '../support/webhooks/verify-signature.ts';

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

/** Ten organisations with an endpoint each, all of them well. */
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

describe('the whole schedule, by moving the clock', () => {
  const steps = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it('is walked with the same id, a fresh time and a valid signature at each of eleven attempts, and then given up', async () => {
    const integrator = { orgId: scheduled, key: await service.newKey(scheduled) };
    const receiver = await startReceiver();
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    // This one event it cannot take.
    let poison: string | undefined;
    const attempts = () => receiver.arrivals.filter(({ headers }) => headers['webhook-id'] === poison);
    receiver.answer = (arrival, ...rest) => {
      poison ??= arrival.headers['webhook-id'];
      expect(verified(arrival, secret, nowMs())).toMatchObject({ id: arrival.headers['webhook-id'] });
      answerWith(arrival.headers['webhook-id'] === poison ? 500 : 200)(arrival, ...rest);
    };
    const log = async () => (await deliveriesOf(service, integrator, id)).find(({ event_id }) => event_id === poison);
    await happen(service, integrator.orgId);
    for (const [index, step] of steps.entries()) {
      await expect.poll(log, batchClientConfig).toMatchObject({ status: 'waiting', attempts: { length: index + 1 } });
      const { attempts: made = [], next_attempt_at: next } = (await log()) ?? {};
      const wait = (next ?? 0) - (made.at(-1)?.at ?? 0);
      // Times are shown in whole seconds, and an attempt may take one.
      expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(step * 1.2) + 1);
      // Others are acknowledged now and then: the circuit stays closed.
      if (index === 5) await happen(service, integrator.orgId);
      const moved = Date.now();
      service.cloud.clock.advance(Math.max(0, (next ?? 0) - nowMs() / 1000));
      await expect.poll(() => attempts().length, batchClientConfig).toBe(index + 2);
      const lateBy = Number(attempts().at(-1)?.headers['webhook-timestamp']) - (next ?? 0);
      expect(lateBy).toBeGreaterThanOrEqual(-1);
      // No later than this machine is slow.
      expect(lateBy).toBeLessThanOrEqual(Math.ceil((Date.now() - moved) / 1000) + 1);
    }
    await expect
      .poll(log, batchClientConfig)
      .toMatchObject({ status: 'dead', attempts: { length: 11 }, next_attempt_at: null });
    const timestamps = attempts().map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(timestamps).size).toBe(11);
    expect(new Set(attempts().map(({ body }) => body)).size).toBe(1);
    await receiver.stop();
  });
});

describe('one hanging endpoint among ten, with half of the traffic', () => {
  /** Longer than it takes until the circuit opens: the worst of it is in there. */
  const rounds = 90;
  const pauseMs = 400;
  const smallMultiple = 5;

  /** The middle and the slow end of how long events to the first nine took from being written to arriving. */
  async function latencies(
    receivers: readonly Receiver[],
    { isTenthBusy, count = rounds }: { isTenthBusy: boolean; count?: number },
  ): Promise<{ p50: number; p95: number }> {
    const nine = receivers.slice(0, 9);
    for (const receiver of nine) receiver.arrivals.length = 0;
    for (let round = 0; round < count; round += 1) {
      const pause = sleep(pauseMs);
      await happen(service, orgIds[round % 9] ?? '');
      if (isTenthBusy) await happen(service, orgIds[9] ?? '');
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

  it('is hardly felt by the other nine', async () => {
    const receivers = await givenReceivers();
    const hanging = receivers[9];
    // Every function has started once.
    await latencies(receivers, { isTenthBusy: true, count: 18 });
    const without = await latencies(receivers, { isTenthBusy: false });
    if (hanging !== undefined) hanging.answer = hang;
    const before = hanging?.arrivals.length ?? 0;
    const callerItems = await latencies(receivers, { isTenthBusy: true });
    // Its circuit opened: it was left alone but for probes.
    expect((hanging?.arrivals.length ?? 0) - before).toBeGreaterThanOrEqual(5);
    expect((hanging?.arrivals.length ?? 0) - before).toBeLessThan(rounds);
    expect(callerItems.p50).toBeLessThan(smallMultiple * without.p50);
    expect(callerItems.p95).toBeLessThan(smallMultiple * without.p95);
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });
});
