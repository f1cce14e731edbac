import type { Table } from '../../../data/table/table.ts';
import type { EndpointRecord } from '../../../data/webhooks/endpoint-row.ts';
import { readEndpoint } from '../../../data/webhooks/endpoints.ts';
import { notFound, problem } from '../../problem.ts';

/** Reads the webhook endpoint of a path, or throws the 404. */
export async function readEndpointFromPath(table: Table, orgId: string, endpointId: string): Promise<EndpointRecord> {
  const endpoint = await readEndpoint(table, orgId, endpointId);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  return endpoint;
}

/** The same, for an operation that sends to the endpoint: a disabled endpoint is a conflict. */
export async function readEnabledEndpoint(table: Table, orgId: string, endpointId: string): Promise<EndpointRecord> {
  const endpoint = await readEndpointFromPath(table, orgId, endpointId);
  if (endpoint.status === 'enabled') return endpoint;
  throw problem(
    'webhook_endpoint_disabled',
    'This webhook endpoint is disabled. Enable it first: send PATCH with status=enabled.',
  );
}
