import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { deliveriesOf, givenEndpoint, happen, hintsOf, type Integrator } from '../support/webhook-world.ts';

const orgId = 'org_hooks';
let service: Service;
let integrator: Integrator;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService([orgId]);
  integrator = { orgId, key: await service.newKey(orgId) };
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const arrived = (count: number) => expect.poll(() => receiver.arrivals.length, { timeout: 30_000 }).toBe(count);

describe('an event that happens', () => {
  it('arrives signed, as the standardwebhooks package finds, and is logged as delivered', async () => {
    const { id, secret } = await givenEndpoint(service, integrator, { url: receiver.url });
    await happen(service, orgId);
    await arrived(1);
    const [arrival] = receiver.arrivals;
    const verified = new Webhook(secret).verify(arrival?.body ?? '', arrival?.headers ?? {});
    expect(verified).toMatchObject({ type: 'member.created', org_id: orgId, id: arrival?.headers['webhook-id'] });
    await expect
      .poll(() => deliveriesOf(service, integrator, id), { timeout: 30_000 })
      .toMatchObject([{ status: 'delivered', attempts: [{ status_code: 200, outcome: 'Acknowledged.' }] }]);
    await expect.poll(() => hintsOf(service, 'delivery')).toBe(0);
    expect(await hintsOf(service, 'outbox')).toBe(0);
  });
});
