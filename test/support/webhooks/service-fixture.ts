import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { expect } from 'vitest';
import { transact } from '../../../shared/data/table/transact.ts';
import {
  type EndpointRef,
  endpointStateUpdate,
  parseEndpointState,
} from '../../../shared/data/webhooks/endpoint-state-row.ts';
import { WebhookDelivery } from '../../../shared/operations/schemas/webhook-delivery.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { memberExample } from '../../../tools/fixtures/examples/membership-examples.ts';
import type { Service, ServiceResponse } from '../service.ts';

/** An organisation of a running service, as its integrator sees it. */
export interface Integrator {
  readonly orgId: string;
  readonly key: string;
}

const Endpoint = v.looseObject({ webhook_endpoint_id: v.string(), secret: v.string() });

/** Sends a request with fields; a POST by default. */
export function post(
  service: Service,
  { key }: Integrator,
  path: string,
  { method = 'POST', ...fields }: Record<string, unknown> = {},
): Promise<ServiceResponse> {
  const body = Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields);
  return service.call(path, { method: String(method), key, headers: { 'Content-Type': 'application/json' }, body });
}

export async function givenEndpoint(
  service: Service,
  integrator: Integrator,
  fields: Record<string, unknown>,
): Promise<{ id: string; secret: string }> {
  const response = await post(service, integrator, '/v1/webhook_endpoints', fields);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  const { webhook_endpoint_id: id, secret } = v.parse(Endpoint, response.body);
  return { id, secret };
}

/** Announces member events, written as any change writes them. */
export async function announceEvents(service: Service, orgId: string, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const announcement = { type: 'member.created', data: { member: memberExample } } as const;
    await transact(
      service.table,
      outboxItems(service.table, orgId, announcement, { nowMs: service.cloud.clock.now(), requestId: 'req-1' }),
    );
  }
}

/** Opens the circuit of an endpoint, with the next probe in a quarter of an hour. */
export async function openCircuit({ table, cloud }: Service, ref: EndpointRef): Promise<void> {
  const nowMs = cloud.clock.now();
  const nextProbeMs = nowMs + 900_000;
  const unknown = parseEndpointState(undefined);
  const failing = { failures: 10, failingSinceMs: nowMs, openedMs: nowMs, nextProbeMs, held: true };
  const open = { ...unknown, ...failing, hintUnix: Math.ceil(nextProbeMs / 1000) + 60 };
  expect(await transact(table, endpointStateUpdate(table, ref, unknown, open))).toEqual([]);
}

const Page = v.object({ data: v.array(WebhookDelivery) });

export async function deliveriesOf(service: Service, { key }: Integrator, endpointId: string) {
  const response = await service.call(`/v1/webhook_endpoints/${endpointId}/deliveries?limit=100`, { key });
  return v.parse(Page, response.body).data;
}

/** The number of hints of a kind, which is the number of unfinished items. */
export async function hintsOf({ table }: Service, kind: string): Promise<number> {
  let count = 0;
  for (let shard = 0; shard < 8; shard += 1) {
    const { Count = 0 } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `DUE#${kind}#${shard}` },
        Select: 'COUNT',
        ConsistentRead: true,
      }),
    );
    count += Count;
  }
  return count;
}
