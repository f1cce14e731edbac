import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEndpoints } from '../../shared/data/webhooks/endpoints.ts';
import { WebhookEvent } from '../../shared/operations/schemas/webhook-event.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { type Service, startService } from '../support/service.ts';
import { longTest } from '../support/thorough.ts';
import { type Arrival, type Receiver, respondWith, startReceiver } from '../support/webhooks/receiver.ts';
import {
  announceEvents,
  deliveriesOf,
  givenEndpoint,
  hintsOf,
  type Integrator,
  openCircuit,
  post,
} from '../support/webhooks/service-fixture.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';

const orgId = 'org_hooks';
const many = 'org_many';
let service: Service;
let integrator: Integrator;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService([orgId, many], { schedules: 'on' });
  integrator = { orgId, key: await service.newKey(orgId) };
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const polling = { timeout: 50_000, interval: 250 };
const arrived = (count: number) => expect.poll(() => receiver.arrivals.length, polling).toBe(count);
const settled = (endpointId: string, deliveries: readonly object[]) =>
  expect.poll(() => deliveriesOf(service, integrator, endpointId), polling).toMatchObject(deliveries);
const remove = (endpointId: string) =>
  service.call(`/v1/webhook_endpoints/${endpointId}`, { method: 'DELETE', key: integrator.key });

const verify = (arrival: Arrival | undefined, secret: string) =>
  verifySignature(arrival ?? { body: '', headers: {} }, secret);

describe('webhook of a member created over the API', () => {
  it('a webhook arrives with a signature that the standardwebhooks package accepts, and matches its documented schema', async () => {
    const { userId } = await givenCustomer(service.table, orgId, { orgCustomerId: 'fan-1', firstName: 'Zoë 🎟' });
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    const fields = { user_id: String(userId), first_name: 'Zoë 🎟', last_name: 'Löwe' };
    expect((await post(service, integrator, '/v1/members', fields)).status).toBe(201);
    await arrived(1);
    const [arrival] = receiver.arrivals;
    const event = v.parse(WebhookEvent, verify(arrival, secret));
    expect(event).toMatchObject({
      type: 'member.created',
      org_id: orgId,
      id: arrival?.headers['webhook-id'],
      data: { member: { first_name: 'Zoë 🎟' } },
    });
    await settled(id, [{ event_id: event.id, status: 'delivered', attempts: [{ status_code: 200 }] }]);
    expect(await hintsOf(service, 'delivery')).toBe(0);
    // The sweeper removes the hint of the event when it has seen that all deliveries exist.
    service.cloud.clock.advance(180);
    await expect.poll(() => hintsOf(service, 'outbox'), polling).toBe(0);
    expect(receiver.arrivals).toHaveLength(1);
    await remove(id);
  });
});

describe('webhook endpoint API', () => {
  const url = 'https://hooks.example.com/';

  it.each([
    ['url', { url: 'hooks.example.com' }],
    ['url', { url: 'http://hooks.example.com/' }],
    ['url', { url: 'https://10.0.0.1/' }],
    ['url', { url: 'https://169.254.169.254/latest/meta-data' }],
    ['url', { url: 'https://user:secret@hooks.example.com/' }],
    ['types', { url, types: ['order.vanished'] }],
    ['types', { url, types: [] }],
    ['max_rate_per_second', { url, max_rate_per_second: 0 }],
  ])('create-webhook-endpoint with a bad %s is refused: %j', async (param, fields) => {
    const { status, body } = await post(service, integrator, '/v1/webhook_endpoints', fields);
    expect([status, body]).toMatchObject([400, { error: { param: expect.stringContaining(param) } }]);
  });

  it('create-webhook-endpoint allows twenty endpoints, shows the secret once, and stores it encrypted', async () => {
    const integratorOfMany = { orgId: many, key: await service.newKey(many) };
    const create = () => post(service, integratorOfMany, '/v1/webhook_endpoints', { url });
    // The last ones at the same time. Each request of a crowd would start an instance.
    const responses: Awaited<ReturnType<typeof create>>[] = [];
    for (let count = 0; count < 18; count += 1) responses.push(await create());
    responses.push(...(await Promise.all(Array.from({ length: 5 }, create))));
    const created = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    expect([created.length, refused.length]).toEqual([20, 3]);
    for (const { status, body } of refused) {
      expect([status, body]).toMatchObject([409, { error: { code: 'too_many_webhook_endpoints' } }]);
    }
    const { body: list } = await service.call('/v1/webhook_endpoints', { key: integratorOfMany.key });
    expect(list).toMatchObject({ has_more: false, data: { length: 20 } });
    const seenLater = JSON.stringify([list, await listEndpoints(service.table, many)]);
    for (const { body } of created) {
      const { secret } = v.parse(v.looseObject({ secret: v.pipe(v.string(), v.startsWith('whsec_')) }), body);
      expect(seenLater).not.toContain(secret);
    }
  });
});

describe('failing webhook receiver', () => {
  it('a failing receiver gets the webhook again on schedule, each time with a valid signature, until it acknowledges', async () => {
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url });
    receiver.respond = respondWith(503, 'busy', { 'Retry-After': '1' });
    await announceEvents(service, orgId);
    const steps = [5, 60, 300, 1_800];
    for (const [index, step] of steps.entries()) {
      await arrived(index + 1);
      await settled(id, [{ status: 'waiting', attempts: { length: index + 1 } }]);
      const [delivery] = await deliveriesOf(service, integrator, id);
      const last = delivery?.attempts.at(-1);
      expect(last).toMatchObject({
        status_code: 503,
        outcome: 'The endpoint returned 503. Only 200 acknowledges an event.',
        response: 'busy',
      });
      const wait = (delivery?.next_attempt_at ?? 0) - (last?.at ?? 0);
      // Times are in whole seconds.
      expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(step * 1.2) + 1);
      if (index === steps.length - 1) receiver.respond = respondWith(200);
      // The longer delays end with the sweeper, which runs once a minute.
      service.cloud.clock.advance(wait + (step > 900 ? 61 : 0));
    }
    await arrived(5);
    await settled(id, [{ status: 'delivered', attempts: { length: 5 } }]);
    const [first] = receiver.arrivals;
    for (const arrival of receiver.arrivals) expect(arrival.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    for (const arrival of receiver.arrivals) verify(arrival, secret);
    expect(verify(receiver.arrivals.at(-1), secret)).toMatchObject({ type: 'member.created' });
    await remove(id);
  });

  longTest(
    'a receiver that responds 410 is disabled, reported to the other endpoints, and gets its backlog when enabled again',
    async () => {
      const watcher = await startReceiver();
      const { id: watching } = await givenEndpoint(service, integrator, {
        url: watcher.url,
        types: ['webhook_endpoint.*'],
      });
      const { id } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
      receiver.respond = respondWith(410);
      await announceEvents(service, orgId);
      await expect
        .poll(() => watcher.arrivals.map(({ body }) => JSON.parse(body).type), polling)
        .toEqual(['webhook_endpoint.disabled']);
      const path = `/v1/webhook_endpoints/${id}`;
      expect((await service.call(path, { key: integrator.key })).body).toMatchObject({
        status: 'disabled',
        disabled_reason: 'The endpoint returned 410 Gone.',
      });
      expect((await post(service, integrator, `${path}/test`)).body).toMatchObject({
        error: { code: 'webhook_endpoint_disabled' },
      });
      receiver.respond = respondWith(200);
      await post(service, integrator, path, { method: 'PATCH', status: 'enabled' });
      const [delivery] = await deliveriesOf(service, integrator, id);
      await post(service, integrator, `${path}/deliveries/${delivery?.delivery_id}/redeliver`);
      await arrived(2);
      await settled(id, [{ status: 'delivered', attempts: [{ status_code: 410 }, { status_code: 200 }] }]);
      await Promise.all([remove(id), remove(watching), watcher.stop()]);
    },
  );
});

describe('webhook endpoint operations of an integrator', () => {
  longTest('update-webhook-endpoint with enabled sends the backlog of a failing endpoint immediately', async () => {
    const { id } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    await openCircuit(service, { orgId, endpointId: id });
    await announceEvents(service, orgId);
    await settled(id, [{ status: 'parked' }]);
    const result = await post(service, integrator, `/v1/webhook_endpoints/${id}`, {
      method: 'PATCH',
      status: 'enabled',
    });
    expect(result.body).toMatchObject({ status: 'enabled', updated_at: null });
    await settled(id, [{ status: 'delivered', attempts: [{ status_code: 200 }] }]);
    await remove(id);
  });

  it('test-webhook-endpoint sends a test event, and both secrets sign during a rotation', async () => {
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['order.*'] });
    const path = `/v1/webhook_endpoints/${id}`;
    expect((await post(service, integrator, `${path}/test`)).body).toMatchObject({ status: 'queued', attempts: [] });
    await arrived(1);
    const rotated = await post(service, integrator, `${path}/rotate_secret`);
    const next = v.parse(v.looseObject({ secret: v.string() }), rotated.body).secret;
    await post(service, integrator, `${path}/test`);
    await arrived(2);
    for (const known of [secret, next])
      expect(verify(receiver.arrivals[1], known)).toMatchObject({ type: 'webhook.test' });
    service.cloud.clock.advance(86_400);
    await post(service, integrator, `${path}/test`);
    await arrived(3);
    expect(verify(receiver.arrivals[2], next)).toMatchObject({ type: 'webhook.test' });
    expect(() => verify(receiver.arrivals[2], secret)).toThrow('No matching signature');
    await remove(id);
  });

  longTest('replay-webhooks sends past events to an endpoint that did not exist when they happened', async () => {
    const since = Math.floor(service.cloud.clock.now() / 1000) - 1;
    await announceEvents(service, orgId, 5);
    // Fanned out to no endpoint, so later deliveries come from the replay alone.
    await expect.poll(() => hintsOf(service, 'outbox'), polling).toBe(0);
    const { id } = await givenEndpoint(service, integrator, { url: receiver.url });
    const path = `/v1/webhook_endpoints/${id}/replay`;
    expect((await post(service, integrator, path, { unix_start: since, types: ['member.created'] })).status).toBe(200);
    expect((await post(service, integrator, path, { unix_start: since })).body).toMatchObject({
      error: { code: 'replay_in_progress' },
    });
    service.cloud.clock.advance(61);
    await arrived(5);
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(5);
    const first = await service.call(`/v1/webhook_endpoints/${id}/deliveries?limit=3`, { key: integrator.key });
    expect(first.body).toMatchObject({ has_more: true, data: { length: 3 } });
    await remove(id);
  });
});

// Last, because the time does not go back.
describe('webhook after the time of the local run was moved', () => {
  it('a webhook arrives with a signature that receivers on this machine accept at its time', async () => {
    service.cloud.clock.advance(40 * 86_400);
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    await announceEvents(service, orgId);
    await arrived(1);
    const [arrival] = receiver.arrivals;
    const event = v.parse(WebhookEvent, verify(arrival, secret));
    // What happened has the time of the service.
    expect(Date.parse(event.timestamp) - Date.now()).toBeGreaterThan(39 * 86_400_000);
    await remove(id);
  });
});
