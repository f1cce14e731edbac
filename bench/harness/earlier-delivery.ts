import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { removeHint } from '../../shared/data/table/due-hints.ts';
import { endpointStateKey } from '../../shared/data/table/keys.ts';
import { newDelivery, putDelivery } from '../../shared/data/webhooks/deliveries.ts';
import { listEndpoints } from '../../shared/data/webhooks/endpoints.ts';
import { isSubscribed } from '../../shared/domain/webhooks/subscriptions.ts';
import { type EventReference, pendingHint } from '../../shared/outbox/outbox.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';

/**
 * Fans out and delivers one event as the version before batches did, for a comparison in the same run: a row with a hint for
 * each delivery at fan-out, one delivery at a time, and a write that ends its send slot. Today's path for unusual deliveries
 * makes all the other calls.
 */
export async function deliverAsBefore(deps: DeliveryDeps, event: EventReference): Promise<void> {
  const { table, clock } = deps;
  const { orgId, eventId, type, requestId } = event;
  const endpoints = (await listEndpoints(table, orgId)).filter(({ types }) => isSubscribed(types, type));
  const refs = endpoints.map(({ endpointId }) => ({ orgId, endpointId, eventId, requestId }));
  await Promise.all(refs.map((ref) => putDelivery(table, newDelivery({ ...ref, type }, clock.nowMs()))));
  await removeHint(table, pendingHint(orgId, eventId));
  for (const ref of refs) {
    await deliver(deps, { ...ref, forced: false });
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: endpointStateKey(orgId, ref.endpointId),
        UpdateExpression: 'SET ended = :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
  }
}
