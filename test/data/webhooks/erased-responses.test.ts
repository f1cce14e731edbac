import { expect, it } from 'vitest';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { moveDelivery, newDelivery, putDelivery, readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { noonUnix } from '../../support/baskets.ts';
import { announcedOf } from '../../support/feed.ts';
import { memberDraft } from '../../support/membership-members.ts';

const nowMs = noonUnix * 1000;
const { table, admin } = await givenAdmin(() => nowMs);
const orgId = 'org_answers';

it('what a receiver answered to an event about a person is exported with the event, and erased with it', async () => {
  const organisation = ['--name', 'Harbour City FC', '--country', 'AU', '--timezone', 'Australia/Melbourne'];
  await documentOf(admin, 'org', 'create', ...organisation, '--id', orgId);
  const saved = await saveCustomer(table, orgId, { orgCustomerId: 'C-1', firstName: 'Xenia' }, noonUnix);
  if (!('customer' in saved)) throw new Error(saved.outcome);
  await savedMember(table, orgId, memberDraft('1', { userId: saved.customer.userId, firstName: 'Xenia' }), noonUnix);
  await documentOf(admin, 'member', 'fulfil', orgId, '1', '--number');
  const [event] = await announcedOf(table, orgId);
  const endpointId = newEndpointId(nowMs);
  const endpoint = { url: 'https://shop.example.com/', types: ['*'], description: null, ratePerSecond: 10 };
  const secrets = { secret: 'sealed', formerSecret: null, formerUntilUnix: 0, olderSecrets: [] };
  const state = { status: 'enabled', disabledReason: null, createdUnix: noonUnix, updatedUnix: null } as const;
  await createEndpoint(table, orgId, { endpointId, ...endpoint, ...secrets, ...state, version: 1 }, () => []);
  const ref = { orgId, endpointId, eventId: event?.id ?? '' };
  const delivery = await putDelivery(table, newDelivery({ ...ref, type: 'member.updated' }, nowMs));
  const attempt = { atUnix: noonUnix, statusCode: 400, durationMs: 5, outcome: 'The endpoint returned 400.' };
  await moveDelivery(table, delivery, { ...delivery, attempts: [{ ...attempt, response: 'Unknown member Xenia' }] });

  const exported = await documentOf(admin, 'customer', 'export', orgId, 'C-1');
  expect(exported.events).toMatchObject([{ id: ref.eventId, responses: ['Unknown member Xenia'] }]);
  await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
  expect(await readDelivery(table, ref)).toMatchObject({
    status: 'queued',
    attempts: [{ ...attempt, response: null }],
  });
});
