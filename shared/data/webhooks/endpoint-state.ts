import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure } from '../table/failures.ts';
import { endpointStateKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry-conflicts.ts';
import type { Table } from '../table/table.ts';
import { type EndpointRef, type EndpointState, parseEndpointState } from './endpoint-state-row.ts';

export async function readEndpointState(table: Table, { orgId, endpointId }: EndpointRef): Promise<EndpointState> {
  const Key = endpointStateKey(orgId, endpointId);
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return parseEndpointState(Item);
}

/** How many directly sent deliveries may wait for a response of one endpoint. Each of them occupies a function. */
const maxOpenSlots = 5;
/** A delivery waits at most this long for its send slot. If the slot is later, the delivery goes to the backlog. */
const maxWaitMs = 1_000;
/** No attempt takes this long: a slot without a response after this time was lost with its function. */
const slotLifetimeMs = 60_000;

export interface SendSlot {
  readonly nowMs: number;
  /** The time between two deliveries. */
  readonly intervalMs: number;
}

/**
 * Takes the next send slot: the time at which a delivery may start. All workers that send to an endpoint take their slots
 * here, so that together they keep to its rate. A slot is one atomic addition, so workers do not conflict. If no slot is
 * free, the current state of the endpoint is returned.
 */
export async function takeSendSlot(
  table: Table,
  ref: EndpointRef,
  known: EndpointState,
  slot: SendSlot,
): Promise<{ readonly startMs: number } | { readonly full: EndpointState }> {
  let endpointState = known;
  // Each further attempt uses the state that the refusal contains.
  for (let attempt = 1; attempt <= 5 && hasFreeSlot(endpointState, slot.nowMs); attempt += 1) {
    const update =
      endpointState.freeMs >= slot.nowMs
        ? nextSendSlot(slot)
        : firstSendSlot(slot, areSlotsExpired(endpointState, slot.nowMs));
    try {
      const { Attributes } = await send(table, ref, { ...update, ReturnValues: 'ALL_NEW' });
      return { startMs: parseEndpointState(Attributes).freeMs - slot.intervalMs };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      endpointState = parseEndpointState(error.Item && unmarshall(error.Item));
    }
  }
  return { full: endpointState };
}

const areSlotsExpired = ({ freeMs }: EndpointState, nowMs: number): boolean => freeMs < nowMs - slotLifetimeMs;

function hasFreeSlot(endpointState: EndpointState, nowMs: number): boolean {
  if (endpointState.held || endpointState.freeMs > nowMs + maxWaitMs) return false;
  return endpointState.unanswered < maxOpenSlots || areSlotsExpired(endpointState, nowMs);
}

const notHeld = '(attribute_not_exists(held) OR held = :false)';

function nextSendSlot({ nowMs, intervalMs }: SendSlot) {
  return {
    UpdateExpression: 'SET freeMs = freeMs + :interval, unanswered = unanswered + :one',
    ConditionExpression: `${notHeld} AND freeMs BETWEEN :now AND :horizon AND unanswered < :most`,
    ExpressionAttributeValues: {
      ':interval': intervalMs,
      ':one': 1,
      ':false': false,
      ':now': nowMs,
      ':horizon': nowMs + maxWaitMs,
      ':most': maxOpenSlots,
    },
  };
}

function firstSendSlot({ nowMs, intervalMs }: SendSlot, slotsExpired: boolean) {
  const unanswered = slotsExpired ? ':one' : 'unanswered + :one';
  const few = slotsExpired
    ? '(attribute_not_exists(freeMs) OR freeMs < :long)'
    : 'freeMs < :now AND unanswered < :most';
  return {
    UpdateExpression: `SET freeMs = :next, unanswered = ${unanswered}`,
    ConditionExpression: `${notHeld} AND ${few}`,
    ExpressionAttributeValues: {
      ':next': nowMs + intervalMs,
      ':one': 1,
      ':false': false,
      ...(slotsExpired ? { ':long': nowMs - slotLifetimeMs } : { ':now': nowMs, ':most': maxOpenSlots }),
    },
  };
}

/** Releases the slot of a directly sent delivery after its response or its failure. */
export async function endSendSlot(table: Table, ref: EndpointRef): Promise<void> {
  await undefinedIfRefused(
    send(table, ref, {
      UpdateExpression: 'SET unanswered = unanswered - :one',
      ConditionExpression: 'unanswered > :zero',
      ExpressionAttributeValues: { ':one': 1, ':zero': 0 },
    }),
  );
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
    send(table, ref, {
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
    send(table, ref, {
      UpdateExpression: `SET backlogLeaseMs = :until${isPaced ? ', freeMs = :free' : ''}`,
      ConditionExpression: 'backlogLeaseMs = :from',
      ExpressionAttributeValues: { ':until': untilMs, ':from': fromMs, ...(isPaced && { ':free': freeMs }) },
    }),
  );
  return result !== undefined;
}

function send(
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
