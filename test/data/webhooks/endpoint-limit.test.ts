import { expect, it } from 'vitest';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { createEndpoint, deleteEndpoint, listEndpoints } from '../../../shared/data/webhooks/endpoints.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { endpointExample } from '../../../tools/fixtures/examples/webhook-examples.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_many';

it('the webhook endpoint limit admits exactly twenty of thirty concurrent creations, and deleting one admits one more', async () => {
  const { table } = await createTestTable();
  const createOne = async () => {
    const endpoint = endpointExample({ endpointId: newEndpointId(Date.now()) });
    return { id: endpoint.endpointId, outcome: await createEndpoint(table, orgId, endpoint, noSideEffects) };
  };
  const responses = await Promise.all(Array.from({ length: 30 }, createOne));
  const created = responses.filter(({ outcome }) => outcome === 'created').map(({ id }) => id);
  expect(created).toHaveLength(20);
  expect((await listEndpoints(table, orgId)).map(({ endpointId }) => endpointId)).toEqual(created.sort());

  // Deleting an endpoint twice frees one place.
  const [first = ''] = created;
  const deleteFirst = () => deleteEndpoint(table, orgId, first, Math.floor(Date.now() / 1000));
  const deleted = await Promise.all([deleteFirst(), deleteFirst()]);
  expect(deleted.sort()).toEqual([false, true]);
  expect([(await createOne()).outcome, (await createOne()).outcome]).toEqual(['created', 'too-many']);
  expect(await listEndpoints(table, orgId)).toHaveLength(20);
});
