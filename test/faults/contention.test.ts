import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveCustomer } from '../../shared/data/customers/save.ts';
import { type ItemKey, webhookDeliveryKey, webhookEndpointKey } from '../../shared/data/table/keys.ts';
import { openTable, type Table } from '../../shared/data/table/table.ts';
import { noSideEffects } from '../../shared/data/table/transact.ts';
import { changeEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { redeliver } from '../../shared/data/webhooks/redeliver.ts';
import { toProblem } from '../../shared/http/to-problem.ts';
import { deliveryIdOf, endpointIdOf, givenContractEndpoint } from '../../tools/fixtures/contract/webhook-fixture.ts';
import { createTestTable, testClientConfig } from '../support/table.ts';

const orgId = 'org_contended';
const nowUnix = 1_794_700_000;
const endpointId = endpointIdOf(orgId);
const eventId = deliveryIdOf(orgId).replace('dlv_', 'evt_');
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenContractEndpoint(table, orgId);
});

/** The same table for a caller that always loses: before each of its transactions another change is written. */
function contended(competingWrite: () => Promise<unknown>): Table {
  const late = openTable(table.name, testClientConfig());
  late.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') await competingWrite();
        return next(args);
      },
    { step: 'initialize', name: 'contention' },
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

describe('permanent contention on an item', () => {
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    'saving a customer': () => {
      let names = 0;
      const save = (through: Table, firstName: string) =>
        saveCustomer(through, orgId, { orgCustomerId: 'C-1', firstName }, nowUnix);
      const competingWrite = () => {
        names += 1;
        return save(table, `Name ${names}`);
      };
      return save(contended(competingWrite), 'Late');
    },
    'changing a webhook endpoint': () =>
      changeEndpoint(
        contended(() => nextVersion(webhookEndpointKey(orgId, endpointId))),
        { orgId, endpointId },
        { change: (current) => ({ ...current, description: 'Late' }) },
      ),
    'redelivering a webhook': () =>
      redeliver(
        contended(() => nextVersion(webhookDeliveryKey(orgId, endpointId, eventId))),
        { orgId, endpointId, eventId },
        { nowMs: nowUnix * 1000, requestId: 'req-1' },
        noSideEffects,
      ),
  };

  it.each(Object.entries(attempts))(
    '%s under permanent contention fails with a 503 that asks to retry, and changes nothing',
    async (_, attempt) => {
      const error = await attempt().catch((thrown: unknown) => thrown);
      const { status, code, retryAfterSeconds } = toProblem(error);
      expect({ status, code, retryAfterSeconds }, String(error)).toEqual({
        status: 503,
        code: 'dependency_unavailable',
        retryAfterSeconds: 1,
      });
      expect(String(error)).toContain('Nothing was changed');
    },
  );
});
