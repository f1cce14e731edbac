import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { type EndpointSettings, normalizeUrl } from '../domain/webhooks/endpoint.ts';
import type { WebhookEndpoint } from '../operations/schemas/webhook-endpoint.ts';
import type { UpdateWebhookEndpointBody } from '../operations/webhooks/update-webhook-endpoint.ts';

export function endpointResource(endpoint: EndpointRecord): WebhookEndpoint {
  return {
    webhook_endpoint_id: endpoint.endpointId,
    url: endpoint.url,
    types: endpoint.types,
    description: endpoint.description,
    max_rate_per_second: endpoint.ratePerSecond,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    created: endpoint.createdUnix,
    updated_at: endpoint.updatedUnix,
  };
}

/** Contains only the given fields. An absent field keeps its value. */
export function endpointChange(body: UpdateWebhookEndpointBody): Partial<EndpointSettings> {
  const { url, types, description, max_rate_per_second: ratePerSecond, status } = body;
  return {
    ...(url !== undefined && { url: normalizeUrl(url) }),
    ...(types !== undefined && { types }),
    ...(description !== undefined && { description }),
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    ...(status !== undefined && { status }),
  };
}
