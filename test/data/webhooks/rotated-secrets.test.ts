import { beforeAll, describe, expect, it } from 'vitest';
import { handle as rotateOne } from '../../../functions/api/webhooks/rotate-webhook-secret.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { signingSecrets } from '../../../shared/data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { rotateWebhookSecret } from '../../../shared/operations/webhooks/rotate-webhook-secret.ts';
import { createSecret, openSecrets } from '../../../shared/webhooks/endpoint-secrets.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { endpointExample } from '../../../tools/fixtures/examples/webhook-examples.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_rotates';
const startUnix = 1_794_000_000;
const [hour, day] = [3_600, 86_400];
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** An endpoint with its first secret. */
async function givenEndpoint() {
  const endpointId = newEndpointId(startUnix * 1000);
  const first = await createSecret(orgId, endpointId);
  await createEndpoint(table, orgId, endpointExample({ endpointId, secret: first.sealed }), noSideEffects);
  const rotate = async (atUnix: number): Promise<unknown> => {
    const call = { table, orgId, nowMs: atUnix * 1000 };
    const params = { webhook_endpoint_id: endpointId };
    return (await callHandler(rotateWebhookSecret, rotateOne, { params }, call)).secret;
  };
  /** What a delivery at this second is signed with, the newest first. */
  const signsWith = async (atUnix: number): Promise<readonly string[]> => {
    const { settings } = await readEndpointState(table, { orgId, endpointId });
    if (settings === undefined) throw new Error('The endpoint has no settings.');
    return openSecrets(orgId, endpointId, signingSecrets(settings, atUnix));
  };
  return { first: first.text, rotate, signsWith };
}

describe('rotate-webhook-secret', () => {
  it('signs with every secret for 24 hours after it was replaced, however often the next one is replaced', async () => {
    const { first, rotate, signsWith } = await givenEndpoint();
    const second = await rotate(startUnix);
    const third = await rotate(startUnix + hour);
    const fourth = await rotate(startUnix + 2 * hour);
    expect(await signsWith(startUnix + 2 * hour)).toEqual([fourth, third, second, first]);
    expect(await signsWith(startUnix + day - 1)).toEqual([fourth, third, second, first]);
    expect(await signsWith(startUnix + day)).toEqual([fourth, third, second]);
    expect(await signsWith(startUnix + day + hour)).toEqual([fourth, third]);
    expect(await signsWith(startUnix + day + 2 * hour)).toEqual([fourth]);
  });

  it('keeps nothing that has ended, and ten secrets at the most', async () => {
    const { first, rotate, signsWith } = await givenEndpoint();
    const second = await rotate(startUnix);
    const third = await rotate(startUnix + 2 * day);
    expect(await signsWith(startUnix + 2 * day)).toEqual([third, second]);
    for (let rotation = 0; rotation < 12; rotation += 1) await rotate(startUnix + 2 * day + rotation);
    const all = await signsWith(startUnix + 2 * day + 12);
    expect(all).toHaveLength(10);
    expect(all).not.toContain(first);
  });
});
