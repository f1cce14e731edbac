import { shardOf } from '../data/lists/sharded-list.ts';
import { batchGet } from '../data/table/batch-get.ts';
import { endpointStateKey, feedKey, type ItemKey, webhookDeliveryKey, webhookEndpointKey } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import { type DeliveryRecord, type DeliveryRef, parseDelivery } from '../data/webhooks/delivery-row.ts';
import { type EndpointRecord, parseEndpoint } from '../data/webhooks/endpoint-row.ts';
import { type EndpointState, parseEndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { parseFeedEvent } from '../outbox/feed.ts';

/** The current state of everything that is needed to send a delivery. */
export interface LoadedDelivery {
  readonly delivery: DeliveryRecord | undefined;
  readonly endpoint: EndpointRecord | undefined;
  readonly endpointState: EndpointState;
  /** The bytes of the event; undefined when it is not in the feed. */
  readonly body: string | undefined;
}

/** One call instead of four: a call takes several times the CPU of the POST itself. */
export async function loadDelivery(table: Table, { orgId, endpointId, eventId }: DeliveryRef): Promise<LoadedDelivery> {
  const keys = {
    delivery: webhookDeliveryKey(orgId, endpointId, eventId),
    endpoint: webhookEndpointKey(orgId, endpointId),
    endpointState: endpointStateKey(orgId, endpointId),
    event: feedKey(orgId, shardOf(eventId), eventId),
  };
  const items = await batchGet(table, Object.values(keys), { consistent: true });
  const findItem = ({ pk, sk }: ItemKey) => items.find((item) => item.pk === pk && item.sk === sk);
  const [delivery, endpoint, event] = [findItem(keys.delivery), findItem(keys.endpoint), findItem(keys.event)];
  return {
    delivery: delivery && parseDelivery(delivery),
    endpoint: endpoint && parseEndpoint(endpoint),
    endpointState: parseEndpointState(findItem(keys.endpointState)),
    body: event && parseFeedEvent(event).body,
  };
}
