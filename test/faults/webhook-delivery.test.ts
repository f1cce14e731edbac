import { beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries } from '../../shared/data/webhooks/deliveries.ts';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { readEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { holdBacklog } from '../../shared/webhooks/enqueue.ts';
import { createTestTable } from '../support/table.ts';
import { DeliverySimulation } from '../support/webhooks/delivery-simulation.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let simulation: DeliverySimulation;
let endpointId: string;
const rate = 20;
beforeEach(async () => {
  simulation = new DeliverySimulation((await createTestTable()).table);
  endpointId = await simulation.givenEndpoint({ ratePerSecond: rate, types: ['member.*'] });
});

const refused = { kind: 'answer', status: 500 } as const;
const timeout = { kind: 'timeout', during: 'answering' } as const;

describe('webhook delivery', () => {
  it('an acknowledged webhook delivery leaves only its log', async () => {
    const [eventId = ''] = await simulation.publishEvents(1);
    await simulation.handleVisible();
    expect(await simulation.delivery(endpointId, eventId)).toMatchObject({
      status: 'delivered',
      spent: 0,
      hintUnix: null,
      attempts: [{ statusCode: 200, outcome: 'Acknowledged.' }],
    });
    expect(await simulation.hints('delivery')).toBe(0);
    expect(simulation.messages).toEqual([]);
    // The hint of the event is kept until the sweeper has seen that all deliveries exist.
    await simulation.advance(3 * minute);
    expect(await simulation.hints('outbox')).toBe(0);
    expect(simulation.messages).toEqual([]);
    expect(simulation.arrivals).toHaveLength(1);
  });

  it('a webhook delivery goes only to enabled endpoints that subscribe to its type', async () => {
    const [sales, members, disabled] = [
      await simulation.givenEndpoint({ types: ['order.*'] }),
      await simulation.givenEndpoint({ types: ['order.*', 'member.*'] }),
      await simulation.givenEndpoint({ status: 'disabled' }),
    ];
    const [eventId = ''] = await simulation.publishEvents(1);
    await simulation.handleVisible();
    expect(await simulation.delivery(members, eventId)).toMatchObject({ status: 'delivered' });
    for (const id of [sales, disabled]) expect(await simulation.delivery(id, eventId)).toBeUndefined();
  });

  it('a webhook delivery is attempted eleven times on schedule, with the same id and a new timestamp, and then dead', async () => {
    // Other events are acknowledged in between, so the circuit stays closed.
    simulation.respond = ({ id }) => (id === eventId ? refused : { kind: 'answer', status: 200 });
    const [eventId = ''] = await simulation.publishEvents(1);
    const arrivals = () => simulation.arrivalsOf(eventId);
    for (let attempts = 0; attempts < 12; attempts += 1) {
      await simulation.handleVisible();
      if (attempts === 5) await simulation.publishEvents(1);
      const { nextMs = null } = (await simulation.delivery(endpointId, eventId)) ?? {};
      await simulation.advance((nextMs ?? simulation.nowMs) - simulation.nowMs + minute);
    }
    const waits = arrivals().map(({ atMs }, index) => (atMs - (arrivals()[index - 1]?.atMs ?? atMs)) / second);
    const table = [0, 5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(11);
    // Long delays end with the sweeper, which runs once a minute.
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(table[index] ?? 0);
      expect(wait).toBeLessThanOrEqual((table[index] ?? 0) + 61);
    });
    for (const { atMs, timestamp } of arrivals()) expect(Number(timestamp)).toBe(Math.floor(atMs / second));
    const dead = await simulation.delivery(endpointId, eventId);
    expect(dead).toMatchObject({ status: 'dead', spent: 11, hintUnix: null });
    expect(dead?.attempts).toHaveLength(11);
  });

  it('a webhook delivery whose delay ends between two sweeps is attempted on time, not at the next sweep', async () => {
    simulation.respond = () => refused;
    const [eventId = ''] = await simulation.publishEvents(1);
    await simulation.advance(10 * minute);
    const { nextMs = null, spent } = (await simulation.delivery(endpointId, eventId)) ?? {};
    expect([spent, simulation.messages]).toEqual([4, []]);
    simulation.skip((nextMs ?? 0) - simulation.nowMs - 40 * second);
    await simulation.sweep();
    await simulation.sweep();
    await simulation.handleVisible();
    expect(simulation.arrivals).toHaveLength(4);
    simulation.skip(40 * second);
    await simulation.handleVisible();
    expect(simulation.arrivals.map(({ atMs }) => atMs).slice(4)).toEqual([nextMs]);
  });

  it('a direct webhook delivery at the moment the backlog is released keeps to the rate, and so does the next', async () => {
    const ref = { orgId: simulation.orgId, endpointId };
    await holdBacklog(simulation.deps, ref, await readEndpointState(simulation.table, ref));
    const [backlogged = ''] = await simulation.publishEvents(1);
    await deliver(simulation.deps, { ...ref, eventId: backlogged, type: 'member.created', forced: false });
    simulation.messages = [];
    const direct = async () => {
      const [eventId = ''] = await simulation.publishEvents(1);
      await deliver(simulation.deps, { ...ref, eventId, type: 'member.created', forced: false });
    };
    const { wakeBacklog } = simulation.deps;
    const deps = {
      ...simulation.deps,
      // The last call of a backlog worker after it has released the backlog.
      wakeBacklog: async (...woken: Parameters<typeof wakeBacklog>) => {
        await wakeBacklog(...woken);
        if (!(await readEndpointState(simulation.table, ref)).held) await direct();
      },
    };
    await drainBacklog(deps, ref);
    await direct();
    const times = simulation.arrivals.map(({ atMs }) => atMs);
    expect(times).toHaveLength(3);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(second / rate);
  });

  it('a webhook delivery is not repeated by duplicate messages, early or late', async () => {
    const [eventId = ''] = await simulation.publishEvents(1);
    simulation.messages = Array.from({ length: 5 }, () => [...simulation.messages]).flat();
    await simulation.fanOut(eventId);
    await simulation.advance(5 * minute);
    await simulation.fanOut(eventId);
    await simulation.advance(5 * minute);
    expect(simulation.arrivals).toHaveLength(1);
  });

  it('a webhook delivery is made although every message about it is lost', async () => {
    await simulation.publishEvents(3);
    simulation.messages = [];
    await simulation.advance(4 * minute);
    expect(simulation.arrivals).toHaveLength(3);
    expect(await simulation.hints('delivery')).toBe(0);
  });

  it('a webhook delivery to a deleted endpoint is dropped, including its hints', async () => {
    const [eventId = ''] = await simulation.publishEvents(1);
    const { deleteEndpoint } = await import('../../shared/data/webhooks/endpoints.ts');
    await deleteEndpoint(simulation.table, simulation.orgId, endpointId, Math.floor(Date.now() / 1000));
    await simulation.advance(5 * minute);
    expect(simulation.arrivals).toEqual([]);
    expect(await simulation.delivery(endpointId, eventId)).toBeUndefined();
    expect(await simulation.hints('delivery')).toBe(0);
  });
});

describe('failing webhook endpoint', () => {
  const ref = () => ({ orgId: simulation.orgId, endpointId });

  it('a failing webhook endpoint opens its circuit; new deliveries join the backlog without an attempt; one probe at a time', async () => {
    simulation.respond = () => timeout;
    await simulation.publishEvents(5);
    await simulation.handleVisible();
    expect(await readEndpointState(simulation.table, ref())).toMatchObject({ failures: 5, timeouts: 5, held: true });
    const openedMs = simulation.nowMs;
    const [late = ''] = await simulation.publishEvents(1);
    await simulation.advance(21 * minute);
    const probes = simulation.arrivals.slice(5).map(({ atMs }) => Math.round((atMs - openedMs) / second));
    // After 30 s, then 1, 2, 5 and 10 minutes.
    expect(probes).toEqual([30, 90, 210, 510, 1110].map((seconds) => expect.closeTo(seconds, -1)));
    expect(await simulation.delivery(endpointId, late)).toMatchObject({ status: 'parked', spent: 0 });
  });

  it('a recovered webhook endpoint receives everything in order, from one a second up to its rate and never beyond', async () => {
    simulation.respond = () => refused;
    await simulation.publishEvents(10);
    await simulation.handleVisible();
    await simulation.publishEvents(60);
    simulation.skip(hour);
    await simulation.advance(minute);
    const failedTries = simulation.arrivals.length;
    simulation.respond = () => ({ kind: 'answer', status: 200 });
    const backMs = simulation.nowMs;
    await simulation.advance(40 * minute);
    const arrivals = simulation.arrivals.slice(failedTries);
    expect(arrivals[0]?.atMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(backMs + 15 * minute);
    const delivered = new Set(arrivals.map(({ id }) => id));
    expect(delivered.size).toBe(70);
    expect(arrivals).toHaveLength(70);
    const times = arrivals.map(({ atMs }) => atMs);
    const mostWithin = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + second).length));
    expect(mostWithin).toBeLessThanOrEqual(rate);
    expect(times.filter((at) => at < (times[0] ?? 0) + 5 * second).length).toBeLessThanOrEqual(5);
    expect([await simulation.hints('delivery'), await simulation.hints('backlog')]).toEqual([0, 0]);
    expect(await readEndpointState(simulation.table, ref())).toMatchObject({
      held: false,
      failures: 0,
      openedMs: null,
    });
  });

  it('a failing webhook endpoint causes notices after 1, 24 and 72 hours, is disabled after five days, and resumes when enabled', async () => {
    simulation.respond = ({ url }) => (url.includes('watching') ? { kind: 'answer', status: 200 } : refused);
    await simulation.givenEndpoint({ url: 'https://watching.example.com/', types: ['webhook_endpoint.*'] });
    const events = await simulation.publishEvents(12);
    for (const hours of [1, 23, 48, 48]) {
      await simulation.advance(2 * minute);
      simulation.skip(hours * hour);
    }
    await simulation.advance(2 * minute);
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
    await simulation.advance(2 * hour);
    expect(simulation.arrivals).toHaveLength(before);
    const { deliveries } = await listDeliveries(simulation.table, ref(), { limit: 50, after: undefined });
    expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(events);
  });

  it('a webhook endpoint that responds 410 is disabled immediately', async () => {
    simulation.respond = () => ({ kind: 'answer', status: 410 });
    const [eventId = '', later = ''] = await simulation.publishEvents(2);
    const [first, second] = simulation.messages;
    for (const message of [first, second]) {
      simulation.messages = message === undefined ? [] : [message];
      await simulation.handleVisible();
    }
    expect(simulation.arrivals).toHaveLength(1);
    expect(await simulation.delivery(endpointId, later)).toMatchObject({ status: 'parked', attempts: [] });
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
