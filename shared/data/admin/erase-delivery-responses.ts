import { paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../table/failures.ts';
import { formerEndpointsPartition, webhookDeliveryKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { readDelivery } from '../webhooks/deliveries.ts';
import type { DeliveryRef } from '../webhooks/delivery-row.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';

const FormerEndpoints = v.array(v.object({ endpointId: v.string() }));

/** What receivers answered to an event when they refused it, with the endpoint of each. */
export async function refusalsOfEvent(table: Table, orgId: string, eventId: string) {
  const endpoints = await listEndpoints(table, orgId);
  const endpointIds = [...endpoints.map(({ endpointId }) => endpointId), ...(await formerEndpointIds(table, orgId))];
  const deliveries = await Promise.all(
    endpointIds.map((endpointId) => readDelivery(table, { orgId, endpointId, eventId })),
  );
  return deliveries.flatMap((delivery) =>
    (delivery?.attempts ?? []).flatMap(({ response }) =>
      response === null || delivery === undefined ? [] : [{ endpointId: delivery.endpointId, response }],
    ),
  );
}

/** The endpoints that were deleted, and whose deliveries may still be logged. */
async function formerEndpointIds(table: Table, orgId: string): Promise<readonly string[]> {
  const found: string[] = [];
  const input = {
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': formerEndpointsPartition(orgId) },
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client: table.client }, input)) {
    found.push(...v.parse(FormerEndpoints, Items).map(({ endpointId }) => endpointId));
  }
  return found;
}

/** Removes what receivers answered to an event: it may repeat what they were sent. The attempts and their status stay. */
export async function eraseResponsesTo(table: Table, orgId: string, eventId: string): Promise<void> {
  const endpointIds = new Set((await refusalsOfEvent(table, orgId, eventId)).map(({ endpointId }) => endpointId));
  for (const endpointId of endpointIds) await eraseResponses(table, { orgId, endpointId, eventId });
}

function eraseResponses(table: Table, ref: DeliveryRef): Promise<'erased'> {
  return retryRaces('delivery', async () => {
    const delivery = await readDelivery(table, ref);
    if (delivery === undefined) return 'erased';
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, response: null }));
    const update = new UpdateCommand({
      TableName: table.name,
      Key: webhookDeliveryKey(ref.orgId, ref.endpointId, ref.eventId),
      UpdateExpression: 'SET attempts = :attempts, version = :next',
      ConditionExpression: 'version = :version AND leaseMs = :lease',
      ExpressionAttributeValues: {
        ':attempts': attempts,
        ':next': delivery.version + 1,
        ':version': delivery.version,
        ':lease': delivery.leaseMs,
      },
    });
    try {
      await table.client.send(update);
      return 'erased';
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  });
}
