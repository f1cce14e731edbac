import { beforeAll, expect, it } from 'vitest';
import { handle as replay } from '../../../functions/api/webhooks/replay-webhooks.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { replayWebhooks } from '../../../shared/operations/webhooks/replay-webhooks.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { endpointIdOf, givenContractEndpoint } from '../../../tools/fixtures/contract/webhook-fixture.ts';
import { callOperation } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const now = 1_794_700_000;
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('a webhook replay of a time range without possible events is refused, and does not block another replay', async () => {
  const orgId = await givenOrganisation(table, 'org_replayed');
  const { text: bearer } = await givenKey(table, orgId);
  await givenContractEndpoint(table, orgId);
  const params = { webhook_endpoint_id: endpointIdOf(orgId) };
  const send = (body: object) =>
    callOperation(replayWebhooks, replay, { table, nowMs: now * 1000, bearer, params, body });
  for (const body of [
    { unix_start: now - 60, unix_end: now - 90 },
    { unix_start: now - 60, unix_end: now - 59 },
    { unix_start: now + 60 },
  ]) {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_conflict', param: 'unix_start' } },
    });
  }
  expect(await send({ unix_start: now - 60, unix_end: now - 58 })).toMatchObject({ status: 200 });
});
