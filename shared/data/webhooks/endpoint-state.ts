import { randomUUID } from 'node:crypto';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { endpointStateKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type EndpointRef, type EndpointState, parseEndpointState } from './endpoint-state-row.ts';

export async function readEndpointState(table: Table, { orgId, endpointId }: EndpointRef): Promise<EndpointState> {
  return parseEndpointState(await getItem(table, endpointStateKey(orgId, endpointId), { consistent: true }));
}

/**
 * Takes the lease on the backlog. Returns undefined if another worker has it. The claim's own token is accepted, because the
 * SDK sends a call again if its response was lost.
 */
export async function leaseBacklog(
  table: Table,
  ref: EndpointRef,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<EndpointState | undefined> {
  const result = await undefinedIfRefused(
    updateEndpointState(table, ref, {
      UpdateExpression: 'SET backlogLeaseMs = :until, backlogClaim = :claim',
      ConditionExpression: 'attribute_not_exists(backlogLeaseMs) OR backlogLeaseMs < :now OR backlogClaim = :claim',
      ExpressionAttributeValues: { ':until': untilMs, ':now': nowMs, ':claim': randomUUID() },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return result && parseEndpointState(result.Attributes);
}

export interface LeaseChange {
  readonly fromMs: number;
  /** 0 releases the lease. */
  readonly untilMs: number;
  /** When the next delivery of any worker may start; undefined if this worker does not change it. */
  readonly freeMs: number | undefined;
}

/** Extends or releases the lease. Returns false if the lease was lost. */
export async function changeLease(
  table: Table,
  ref: EndpointRef,
  { fromMs, untilMs, freeMs }: LeaseChange,
): Promise<boolean> {
  const isPaced = freeMs !== undefined;
  const result = await undefinedIfRefused(
    updateEndpointState(table, ref, {
      UpdateExpression: `SET backlogLeaseMs = :until${isPaced ? ', freeMs = :free' : ''}`,
      ConditionExpression: 'backlogLeaseMs = :from',
      ExpressionAttributeValues: { ':until': untilMs, ':from': fromMs, ...(isPaced && { ':free': freeMs }) },
    }),
  );
  return result !== undefined;
}

/** Updates the item of an endpoint's state. A refusal contains the current item. */
export function updateEndpointState(
  table: Table,
  { orgId, endpointId }: EndpointRef,
  update: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<{ Attributes?: Record<string, unknown> | undefined }> {
  return retryConflicts(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: endpointStateKey(orgId, endpointId),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...update,
      }),
    ),
  );
}

async function undefinedIfRefused<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
