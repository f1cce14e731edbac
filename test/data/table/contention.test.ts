import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { type ItemKey, webhookDeliveryKey, webhookEndpointKey } from '../../../shared/data/table/keys.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { changeEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { redeliver } from '../../../shared/data/webhooks/redeliver.ts';
import { toProblem } from '../../../shared/http/to-problem.ts';
import { deliveryIdOf, endpointIdOf, givenContractEndpoint } from '../../contract/webhook-fixture.ts';
import { createTestTable, testClientConfig } from '../../support/table.ts';

const orgId = 'org_crowded';
const nowUnix = 1_794_700_000;
const endpointId = endpointIdOf(orgId);
const eventId = deliveryIdOf(orgId).replace('dlv_', 'evt_');
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenContractEndpoint(table, orgId);
});

/** The same table for somebody who is always too late: before each of their transactions others make a change. */
function crowded(others: () => Promise<unknown>): Table {
  const late = openTable(table.name, testClientConfig());
  late.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') await others();
        return next(args);
      },
    { step: 'initialize', name: 'crowd' },
  );
  return late;
}

const nextVersion = ({ pk, sk }: ItemKey) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: 'ADD version :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );

describe('whoever is always too late is asked to send the same again, and has changed nothing', () => {
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    'saving a customer': () => {
      let names = 0;
      const save = (through: Table, firstName: string) =>
        saveCustomer(through, orgId, { orgCustomerId: 'C-1', firstName }, nowUnix);
      const others = () => {
        names += 1;
        return save(table, `Name ${names}`);
      };
      return save(crowded(others), 'Late');
    },
    'changing a webhook endpoint': () =>
      changeEndpoint(
        crowded(() => nextVersion(webhookEndpointKey(orgId, endpointId))),
        { orgId, endpointId },
        (current) => ({ ...current, description: 'Late' }),
        () => [],
      ),
    'sending a webhook again': () =>
      redeliver(
        crowded(() => nextVersion(webhookDeliveryKey(orgId, endpointId, eventId))),
        { orgId, endpointId, eventId },
        nowUnix * 1000,
        noSideEffects,
      ),
  };

  it.each(Object.entries(attempts))('when %s', async (_, attempt) => {
    const error = await attempt().catch((thrown: unknown) => thrown);
    const { status, code, retryAfterSeconds } = toProblem(error);
    expect({ status, code, retryAfterSeconds }, String(error)).toEqual({
      status: 503,
      code: 'dependency_unavailable',
      retryAfterSeconds: 1,
    });
    expect(String(error)).toContain('Nothing was changed');
  });
});
