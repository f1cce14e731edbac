import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { type Service, startService } from '../support/service.ts';
import { type Receiver, respondWith, startReceiver } from '../support/webhooks/receiver.ts';
import { deliveriesOf, givenEndpoint, type Integrator, post } from '../support/webhooks/service-fixture.ts';

const orgId = 'org_trace';
let service: Service;
let integrator: Integrator;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService([orgId], { schedules: 'on' });
  integrator = { orgId, key: await service.newKey(orgId) };
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const Line = v.looseObject({
  message: v.string(),
  function_request_id: v.string(),
  api_request_id: v.optional(v.string()),
  redelivery_request_id: v.optional(v.string()),
});

/** The worker or operation of each log line of a request, and the line. */
function linesOf(requestId: string) {
  return service.logs.flatMap((text) => {
    const [, functionName = '', json = ''] = /^([^:]+): (\{.*\})$/s.exec(text) ?? [];
    const line = v.safeParse(Line, json === '' ? undefined : JSON.parse(json));
    if (!line.success || line.output.api_request_id !== requestId) return [];
    return [{ ...line.output, by: functionName.replace(/^.*-|Func\w*$/g, '') }];
  });
}

const stagesOf = (requestId: string): string[] => linesOf(requestId).map(({ by, message }) => `${by}: ${message}`);
const polling = { timeout: 50_000, interval: 250 };
const logged = (requestId: string, stages: readonly string[]) =>
  expect.poll(() => stagesOf(requestId), polling).toEqual(expect.arrayContaining([...stages]));

let fans = 0;
/** Creates a member and returns the id of the request. */
async function createMember(): Promise<string> {
  fans += 1;
  const { userId } = await givenCustomer(service.table, orgId, { orgCustomerId: `fan-${fans}` });
  const created = await post(service, integrator, '/v1/members', {
    user_id: String(userId),
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.headers.get('request-id') ?? '';
}

/** The logical id of a worker's function, without the name of its nested stack before the slash. */
function functionOf(id: string): string {
  const name = `${id.replaceAll('-', '')}Function`;
  return [...service.cloud.template.resources.keys()].find((key) => key.split('/').at(-1)?.startsWith(name)) ?? '';
}

describe('the request id of a change', () => {
  it('the request id is in the log of publisher, fan-out, delivery, retry and redelivery, and not in the webhook', async () => {
    const { id } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    receiver.respond = respondWith(503);
    const requestId = await createMember();
    await logged(requestId, [
      'createmember: request',
      'publishoutbox: event published',
      'fanoutmembers: event fanned out',
      'deliverwebhook: webhook not delivered',
    ]);
    receiver.respond = respondWith(200);
    service.cloud.clock.advance(10);
    await logged(requestId, ['retrywebhook: webhook delivered']);
    await expect.poll(() => deliveriesOf(service, integrator, id), polling).toMatchObject([{ status: 'delivered' }]);
    const [delivery] = await deliveriesOf(service, integrator, id);

    const path = `/v1/webhook_endpoints/${id}/deliveries/${delivery?.delivery_id}/redeliver`;
    const redelivery = (await post(service, integrator, path)).headers.get('request-id') ?? '';
    await expect.poll(() => receiver.arrivals.length, polling).toBe(3);
    const attempts = () => linesOf(requestId).filter(({ message }) => /^webhook (not )?delivered$/.test(message));
    await expect.poll(attempts, polling).toMatchObject([{}, {}, { redelivery_request_id: redelivery }]);
    for (const arrival of receiver.arrivals) expect(JSON.stringify(arrival)).not.toContain(requestId);
    await service.call(`/v1/webhook_endpoints/${id}`, { method: 'DELETE', key: integrator.key });
  });

  it('the request id is in the log of the sweepers, beside the id of their own run', async () => {
    const { id } = await givenEndpoint(service, integrator, { url: receiver.url, types: ['member.*'] });
    await service.cloud.setEventSource(functionOf('publish-outbox'), false);
    await service.cloud.setEventSource(functionOf('deliver-webhook'), false);
    const requestId = await createMember();
    service.cloud.clock.advance(180);
    await logged(requestId, ['sweepoutbox: event published', 'fanoutmembers: event fanned out']);
    service.cloud.clock.advance(180);
    await logged(requestId, ['sweepdeliveries: webhook queued by the sweeper', 'retrywebhook: webhook delivered']);
    const runs = linesOf(requestId).filter(({ by }) => by.startsWith('sweep'));
    expect(runs.every(({ function_request_id }) => function_request_id !== requestId)).toBe(true);
    await service.call(`/v1/webhook_endpoints/${id}`, { method: 'DELETE', key: integrator.key });
  });
});
