import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { isEndpointId, maxEndpoints } from '../../domain/webhooks/endpoint.ts';
import { Fault } from '../../platform/fault.ts';
import { getItem } from '../table/get-item.ts';
import {
  endpointStateKey,
  formerEndpointKey,
  webhookEndpointCountKey,
  webhookEndpointKey,
  webhookEndpointsPartition,
  webhookReplayKey,
} from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, transact } from '../table/transact.ts';
import { type EndpointRecord, endpointItem, parseEndpoint } from './endpoint-row.ts';
import { endpointSettingsUpdate, newEndpointStateItem } from './endpoint-state-row.ts';

/** Longer than deliveries are logged, also if DynamoDB deletes them days late: erasure and export read them. */
const formerSeconds = 40 * 86_400;

/** Endpoints are always read consistently: a new endpoint must not miss the events after its creation. */
const consistent = true;

export async function readEndpoint(
  table: Table,
  orgId: string,
  endpointId: string,
): Promise<EndpointRecord | undefined> {
  if (!isEndpointId(endpointId)) return undefined;
  const item = await getItem(table, webhookEndpointKey(orgId, endpointId), { consistent });
  return item === undefined ? undefined : parseEndpoint(item);
}

/** Returns all endpoints, the oldest first. One Query is enough for their maximum number. */
export async function listEndpoints(table: Table, orgId: string): Promise<EndpointRecord[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :count',
      ExpressionAttributeValues: {
        ':pk': webhookEndpointsPartition(orgId),
        ':count': webhookEndpointCountKey(orgId).sk,
      },
      ConsistentRead: consistent,
    }),
  );
  return Items.map(parseEndpoint);
}

/** The count is written in the same transaction, on the condition that it is below the limit, so the limit is exact. */
export async function createEndpoint(
  table: Table,
  orgId: string,
  endpoint: EndpointRecord,
  sideEffects: SideEffects<EndpointRecord>,
): Promise<'created' | 'too-many'> {
  const TableName = table.name;
  const refusals = await transact(
    table,
    [
      {
        label: 'limit',
        Update: {
          TableName,
          Key: webhookEndpointCountKey(orgId),
          UpdateExpression: 'ADD endpoints :one',
          ConditionExpression: 'attribute_not_exists(endpoints) OR endpoints < :most',
          ExpressionAttributeValues: { ':one': 1, ':most': maxEndpoints },
        },
      },
      {
        Put: { TableName, Item: endpointItem(orgId, endpoint), ConditionExpression: 'attribute_not_exists(pk)' },
      },
      { Put: { TableName, Item: newEndpointStateItem(orgId, endpoint) } },
    ],
    sideEffects(endpoint),
  );
  if (refusals.length === 0) return 'created';
  if (refusals.some(({ label }) => label === 'limit')) return 'too-many';
  throw new Fault('A new webhook endpoint was refused although the limit is not reached.');
}

interface EndpointChange {
  /** Returns the same object to leave the endpoint unchanged. */
  readonly change: (current: EndpointRecord) => EndpointRecord;
  readonly sideEffects?: SideEffects<EndpointRecord>;
  /** The time of the change, if it resets the failures of the endpoint. */
  readonly resetUnix?: (after: EndpointRecord, before: EndpointRecord) => number | undefined;
}

/** Changes the current endpoint, on the condition that it has not changed since it was read; otherwise it is read again. */
export async function changeEndpoint(
  table: Table,
  { orgId, endpointId }: { readonly orgId: string; readonly endpointId: string },
  { change, sideEffects = noSideEffects, resetUnix = () => undefined }: EndpointChange,
): Promise<{ before: EndpointRecord; after: EndpointRecord } | undefined> {
  const written = await retryRaces('webhook endpoint', async () => {
    const current = await readEndpoint(table, orgId, endpointId);
    if (current === undefined) return 'missing';
    const changed = change(current);
    if (changed === current) return { before: current, after: current };
    const next = { ...changed, version: current.version + 1 };
    const put = {
      TableName: table.name,
      Item: endpointItem(orgId, next),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': current.version },
    };
    const items = [{ Put: put }, ...endpointSettingsUpdate(table, orgId, next, resetUnix(next, current))];
    const refusals = await transact(table, items, sideEffects(next));
    return refusals.length === 0 ? { before: current, after: next } : undefined;
  });
  return written === 'missing' ? undefined : written;
}

/** Returns whether the endpoint existed. Its unfinished deliveries are dropped when they are due; its log stays until its end. */
export async function deleteEndpoint(
  table: Table,
  orgId: string,
  endpointId: string,
  nowUnix: number,
): Promise<boolean> {
  if (!isEndpointId(endpointId)) return false;
  const TableName = table.name;
  const refusals = await transact(table, [
    {
      Delete: {
        TableName,
        Key: webhookEndpointKey(orgId, endpointId),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    {
      Update: {
        TableName,
        Key: webhookEndpointCountKey(orgId),
        UpdateExpression: 'ADD endpoints :less',
        ExpressionAttributeValues: { ':less': -1 },
      },
    },
    { Delete: { TableName, Key: endpointStateKey(orgId, endpointId) } },
    { Delete: { TableName, Key: webhookReplayKey(orgId, endpointId) } },
    {
      Put: {
        TableName,
        Item: { ...formerEndpointKey(orgId, endpointId), endpointId, ttl: nowUnix + formerSeconds },
      },
    },
  ]);
  return refusals.length === 0;
}
