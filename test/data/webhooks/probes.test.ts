import { describe, expect, it } from 'vitest';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { maxDelaySeconds } from '../../../shared/webhooks/delivery-messages.ts';
import { createTestTable } from '../../support/table.ts';
import { DeliverySimulation } from '../../support/webhooks/delivery-simulation.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('webhook endpoint with a Retry-After of an hour', () => {
  it('a webhook endpoint is not probed before its Retry-After, and no queue message is delayed beyond the SQS limit', async () => {
    const simulation = new DeliverySimulation((await createTestTable()).table);
    const endpointId = await simulation.givenEndpoint();
    simulation.respond = () => ({ kind: 'answer', status: 503 });
    simulation.retryAfter = '3600';
    await simulation.publishEvents(10);
    await simulation.handleVisible();
    const openedMs = simulation.nowMs;
    const before = simulation.arrivals.length;
    const waits = simulation.messages.map(({ visibleMs }) => visibleMs - openedMs);
    expect(Math.max(0, ...waits)).toBeLessThanOrEqual(maxDelaySeconds * 1000);
    expect(await readEndpointState(simulation.table, { orgId: simulation.orgId, endpointId })).toMatchObject({
      held: true,
      nextProbeMs: openedMs + hour,
    });

    await simulation.advance(2.5 * hour);
    const probes = simulation.arrivals.slice(before).map(({ atMs }) => atMs - openedMs);
    expect(probes).toHaveLength(2);
    expect(probes[0]).toBeGreaterThanOrEqual(hour);
    expect(probes[0]).toBeLessThanOrEqual(hour + 2 * minute);
  });
});

describe('request of a backlog', () => {
  it('the message that wakes a backlog has the request of the delivery that filled it or changed the circuit', async () => {
    const simulation = new DeliverySimulation((await createTestTable()).table);
    await simulation.givenEndpoint();
    simulation.respond = () => ({ kind: 'answer', status: 503 });
    await simulation.publishEvents(10);
    await simulation.handleVisible();
    const woken = simulation.messages.filter(({ kind }) => kind === 'backlog');
    expect(woken.length).toBeGreaterThan(0);
    for (const { message } of woken) expect(message).toMatchObject({ requestId: 'req-1' });
  });
});
