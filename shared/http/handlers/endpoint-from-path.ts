import type { Table } from '../../data/table/table.ts';
import type { EndpointRecord } from '../../data/webhooks/endpoint-row.ts';
import { readEndpoint } from '../../data/webhooks/endpoints.ts';
import { notFound, problem } from '../problem.ts';

/** The endpoint that a path names. */
export async function readEndpointFromPath(table: Table, orgId: string, endpointId: string): Promise<EndpointRecord> {
  const endpoint = await readEndpoint(table, orgId, endpointId);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  return endpoint;
}

/** For what sends something to it. */
export async function readEnabledEndpoint(table: Table, orgId: string, endpointId: string): Promise<EndpointRecord> {
  const endpoint = await readEndpointFromPath(table, orgId, endpointId);
  if (endpoint.status === 'enabled') return endpoint;
  throw problem(
    'webhook_endpoint_disabled',
    'This webhook endpoint is disabled. Enable it first: send PATCH with status=enabled.',
  );
}
