import { beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries } from '../../shared/data/webhooks/deliveries.ts';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { readEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { holdBacklog } from '../../shared/webhooks/enqueue.ts';
import { DeliverySimulation } from '../support/webhooks/delivery-simulation.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let simulation: DeliverySimulation;
let endpointId: string;
const rate = 20;
beforeEach(async () => {
  simulation = await DeliverySimulation.create();
  endpointId = await simulation.givenEndpoint({ ratePerSecond: rate });
});

const refused = { kind: 'answer', status: 500 } as const;
const timeout = { kind: 'timeout', during: 'answering' } as const;

describe('a delivery', () => {
  it('that is acknowledged leaves nothing behind but its log', async () => {
    const [eventId = ''] = await simulation.happen(1);
    await simulation.handleVisible();
    expect(await simulation.delivery(endpointId, eventId)).toMatchObject({
      status: 'delivered',
      spent: 0,
      hintUnix: null,
      attempts: [{ statusCode: 200, outcome: 'Acknowledged.' }],
    });
    expect([await simulation.hints('delivery'), await simulation.hints('outbox')]).toEqual([0, 0]);
    expect(simulation.messages).toEqual([]);
  });

  it('goes only to endpoints that want its type and are enabled', async () => {
    const [sales, members, disabled] = [
      await simulation.givenEndpoint({ types: ['order.*'] }),
      await simulation.givenEndpoint({ types: ['order.*', 'member.*'] }),
      await simulation.givenEndpoint({ status: 'disabled' }),
    ];
    const [eventId = ''] = await simulation.happen(1);
    await simulation.handleVisible();
    expect(await simulation.delivery(members, eventId)).toMatchObject({ status: 'delivered' });
    for (const id of [sales, disabled]) expect(await simulation.delivery(id, eventId)).toBeUndefined();
  });

  it('is tried eleven times by the schedule, with the same id and a fresh time, and then given up', async () => {
    // Something else is acknowledged in between: the circuit stays closed.
    simulation.answer = ({ id }) => (id === eventId ? refused : { kind: 'answer', status: 200 });
    const [eventId = ''] = await simulation.happen(1);
    const arrivals = () => simulation.arrivalsOf(eventId);
    for (let attempts = 0; attempts < 12; attempts += 1) {
      await simulation.handleVisible();
      if (attempts === 5) await simulation.happen(1);
      const { nextMs = null } = (await simulation.delivery(endpointId, eventId)) ?? {};
      await simulation.pass((nextMs ?? simulation.nowMs) - simulation.nowMs + minute);
    }
    const waits = arrivals().map(({ atMs }, index) => (atMs - (arrivals()[index - 1]?.atMs ?? atMs)) / second);
    const table = [0, 5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(11);
    // Long waits end with the sweeper, which comes once a minute.
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(table[index] ?? 0);
      expect(wait).toBeLessThanOrEqual((table[index] ?? 0) + 61);
    });
    for (const { atMs, timestamp } of arrivals()) expect(Number(timestamp)).toBe(Math.floor(atMs / second));
    const dead = await simulation.delivery(endpointId, eventId);
    expect(dead).toMatchObject({ status: 'dead', spent: 11, hintUnix: null });
    expect(dead?.attempts).toHaveLength(11);
  });

  it('whose long wait ends between two visits of the sweeper is tried at its time and not at the next visit', async () => {
    simulation.answer = () => refused;
    const [eventId = ''] = await simulation.happen(1);
    await simulation.pass(10 * minute);
    const { nextMs = null, spent } = (await simulation.delivery(endpointId, eventId)) ?? {};
    expect([spent, simulation.messages]).toEqual([4, []]);
    simulation.leap((nextMs ?? 0) - simulation.nowMs - 40 * second);
    await simulation.sweep();
    await simulation.sweep();
    await simulation.handleVisible();
    expect(simulation.arrivals).toHaveLength(4);
    simulation.leap(40 * second);
    await simulation.handleVisible();
    expect(simulation.arrivals.map(({ atMs }) => atMs).slice(4)).toEqual([nextMs]);
  });

  it('that goes straight in the moment in which the line is let go keeps to the pace, and so does the next', async () => {
    const ref = { orgId: simulation.orgId, endpointId };
    await holdBacklog(simulation.deps, ref, await readEndpointState(simulation.table, ref));
    const [inLine = ''] = await simulation.happen(1);
    await deliver(simulation.deps, { ...ref, eventId: inLine, forced: false });
    simulation.messages = [];
    const straight = async () => {
      const [eventId = ''] = await simulation.happen(1);
      await deliver(simulation.deps, { ...ref, eventId, forced: false });
    };
    const { wakeBacklog } = simulation.deps;
    const deps = {
      ...simulation.deps,
      // The last thing a worker of a line does once it has let it go.
      wakeBacklog: async (...woken: Parameters<typeof wakeBacklog>) => {
        await wakeBacklog(...woken);
        await straight();
      },
    };
    await drainBacklog(deps, ref);
    await straight();
    const times = simulation.arrivals.map(({ atMs }) => atMs);
    expect(times).toHaveLength(3);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(second / rate);
  });

  it('is not made twice by messages that come twice, early or late', async () => {
    const [eventId = ''] = await simulation.happen(1);
    simulation.messages = Array.from({ length: 5 }, () => [...simulation.messages]).flat();
    await simulation.fanOut(eventId);
    await simulation.pass(5 * minute);
    await simulation.fanOut(eventId);
    await simulation.pass(5 * minute);
    expect(simulation.arrivals).toHaveLength(1);
  });

  it('is made although every message about it is lost', async () => {
    await simulation.happen(3);
    simulation.messages = [];
    await simulation.pass(4 * minute);
    expect(simulation.arrivals).toHaveLength(3);
    expect(await simulation.hints('delivery')).toBe(0);
  });

  it('of an endpoint that was deleted is dropped, hints and all', async () => {
    const [eventId = ''] = await simulation.happen(1);
    const { deleteEndpoint } = await import('../../shared/data/webhooks/endpoints.ts');
    await deleteEndpoint(simulation.table, simulation.orgId, endpointId);
    await simulation.pass(5 * minute);
    expect(simulation.arrivals).toEqual([]);
    expect(await simulation.delivery(endpointId, eventId)).toBeUndefined();
    expect(await simulation.hints('delivery')).toBe(0);
  });
});

describe('an endpoint that fails', () => {
  const ref = () => ({ orgId: simulation.orgId, endpointId });

  it('has its circuit opened; what comes then stands in line and spends no attempt; one probe goes out at a time', async () => {
    simulation.answer = () => timeout;
    await simulation.happen(5);
    await simulation.handleVisible();
    expect(await readEndpointState(simulation.table, ref())).toMatchObject({ failures: 5, timeouts: 5, held: true });
    const openedMs = simulation.nowMs;
    const [late = ''] = await simulation.happen(1);
    await simulation.pass(21 * minute);
    const probes = simulation.arrivals.slice(5).map(({ atMs }) => Math.round((atMs - openedMs) / second));
    // After 30 s, then 1, 2, 5 and 10 minutes.
    expect(probes).toEqual([30, 90, 210, 510, 1110].map((seconds) => expect.closeTo(seconds, -1)));
    expect(await simulation.delivery(endpointId, late)).toMatchObject({ status: 'parked', spent: 0 });
  });

  it('gets everything once it is back, in order, from one a second up to its pace and never beyond', async () => {
    simulation.answer = () => refused;
    await simulation.happen(10);
    await simulation.handleVisible();
    await simulation.happen(60);
    simulation.leap(hour);
    await simulation.pass(minute);
    const failedTries = simulation.arrivals.length;
    simulation.answer = () => ({ kind: 'answer', status: 200 });
    const backMs = simulation.nowMs;
    await simulation.pass(40 * minute);
    const arrivals = simulation.arrivals.slice(failedTries);
    expect(arrivals[0]?.atMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(backMs + 15 * minute);
    const delivered = new Set(arrivals.map(({ id }) => id));
    expect(delivered.size).toBe(70);
    expect(arrivals).toHaveLength(70);
    const times = arrivals.map(({ atMs }) => atMs);
    const fullest = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + second).length));
    expect(fullest).toBeLessThanOrEqual(rate);
    expect(times.filter((at) => at < (times[0] ?? 0) + 5 * second).length).toBeLessThanOrEqual(5);
    expect([await simulation.hints('delivery'), await simulation.hints('backlog')]).toEqual([0, 0]);
    expect(await readEndpointState(simulation.table, ref())).toMatchObject({
      held: false,
      failures: 0,
      openedMs: null,
    });
  });

  it('is told of after an hour, a day and three, and disabled after five; what waits is sent when it is enabled', async () => {
    simulation.answer = ({ url }) => (url.includes('watching') ? { kind: 'answer', status: 200 } : refused);
    await simulation.givenEndpoint({ url: 'https://watching.example.com/', types: ['webhook_endpoint.*'] });
    const events = await simulation.happen(12);
    for (const hours of [1, 23, 48, 48]) {
      await simulation.pass(2 * minute);
      simulation.leap(hours * hour);
    }
    await simulation.pass(2 * minute);
    const feed = await listTypes();
    expect(feed).toEqual([
      'webhook_endpoint.failing',
      'webhook_endpoint.failing',
      'webhook_endpoint.failing',
      'webhook_endpoint.disabled',
    ]);
    expect(await readEndpoint(simulation.table, simulation.orgId, endpointId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'The endpoint has not acknowledged an event for five days.',
    });
    const before = simulation.arrivals.length;
    await simulation.pass(2 * hour);
    expect(simulation.arrivals).toHaveLength(before);
    const { deliveries } = await listDeliveries(simulation.table, ref(), { limit: 50, after: undefined });
    expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(events);
  });

  it('and says 410 is disabled at once', async () => {
    simulation.answer = () => ({ kind: 'answer', status: 410 });
    const [eventId = ''] = await simulation.happen(2);
    await simulation.handleVisible();
    expect(simulation.arrivals).toHaveLength(1);
    expect(await simulation.delivery(endpointId, eventId)).toMatchObject({ status: 'dead' });
    expect(await readEndpoint(simulation.table, simulation.orgId, endpointId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'The endpoint returned 410 Gone.',
    });
    expect(await listTypes()).toEqual(['webhook_endpoint.disabled']);
  });

  async function listTypes(): Promise<string[]> {
    const { readFeed } = await import('../../shared/outbox/feed.ts');
    const query = {
      after: undefined,
      limit: 100,
      sinceMs: 0,
      untilMs: simulation.nowMs + 1,
      nowMs: simulation.nowMs + minute,
    };
    const { events } = await readFeed(simulation.table, simulation.orgId, query);
    return events.map(({ type }) => String(type)).filter((type) => type.startsWith('webhook'));
  }
});
