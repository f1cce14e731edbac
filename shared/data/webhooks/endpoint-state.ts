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

/** So many deliveries may be on their way to one endpoint, each in a function that could serve others meanwhile. */
const maxUnanswered = 5;
/** A delivery whose turn comes within this time waits for it; one whose turn comes later stands in line. */
const horizonMs = 1_000;
/** Nothing is under way for this long: what was not answered by then was lost with the function that waited for it. */
const forgottenMs = 60_000;

export interface SendSlot {
  readonly nowMs: number;
  /** The time between two deliveries. */
  readonly intervalMs: number;
}

/**
 * Takes the next moment at which a delivery may be started. Everybody who sends to an endpoint takes their turn here, so
 * that all of them together keep to its pace; a turn is one atomic addition, so that nobody has to try again. Without a
 * turn the answer is the lane as it stands.
 */
export async function takeSendSlot(
  table: Table,
  ref: EndpointRef,
  known: EndpointState,
  slot: SendSlot,
): Promise<{ readonly startMs: number } | { readonly full: EndpointState }> {
  let endpointState = known;
  // Each further try knows how the lane stood a moment before.
  for (let attempt = 1; attempt <= 5 && hasRoom(endpointState, slot.nowMs); attempt += 1) {
    const update =
      endpointState.freeMs >= slot.nowMs
        ? nextSendSlot(slot)
        : firstSendSlot(slot, isForgotten(endpointState, slot.nowMs));
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

const isForgotten = ({ freeMs }: EndpointState, nowMs: number): boolean => freeMs < nowMs - forgottenMs;

function hasRoom(endpointState: EndpointState, nowMs: number): boolean {
  if (endpointState.held || endpointState.freeMs > nowMs + horizonMs) return false;
  return endpointState.unanswered < maxUnanswered || isForgotten(endpointState, nowMs);
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
      ':horizon': nowMs + horizonMs,
      ':most': maxUnanswered,
    },
  };
}

function firstSendSlot({ nowMs, intervalMs }: SendSlot, isLongAgo: boolean) {
  const unanswered = isLongAgo ? ':one' : 'unanswered + :one';
  const few = isLongAgo ? '(attribute_not_exists(freeMs) OR freeMs < :long)' : 'freeMs < :now AND unanswered < :most';
  return {
    UpdateExpression: `SET freeMs = :next, unanswered = ${unanswered}`,
    ConditionExpression: `${notHeld} AND ${few}`,
    ExpressionAttributeValues: {
      ':next': nowMs + intervalMs,
      ':one': 1,
      ':false': false,
      ...(isLongAgo ? { ':long': nowMs - forgottenMs } : { ':now': nowMs, ':most': maxUnanswered }),
    },
  };
}

/** The delivery that went straight was answered, or could not be. */
export async function endSendSlot(table: Table, ref: EndpointRef): Promise<void> {
  await onlyIf(
    send(table, ref, {
      UpdateExpression: 'SET unanswered = unanswered - :one',
      ConditionExpression: 'unanswered > :zero',
      ExpressionAttributeValues: { ':one': 1, ':zero': 0 },
    }),
  );
}

/** Takes the right to work through the line; undefined when somebody else has it, also when the SDK has to ask twice. */
export async function leaseBacklog(
  table: Table,
  ref: EndpointRef,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<EndpointState | undefined> {
  const answer = await onlyIf(
    send(table, ref, {
      UpdateExpression: 'SET backlogLeaseMs = :until, backlogClaim = :claim',
      ConditionExpression: 'attribute_not_exists(backlogLeaseMs) OR backlogLeaseMs < :now OR backlogClaim = :claim',
      ExpressionAttributeValues: { ':until': untilMs, ':now': nowMs, ':claim': randomUUID() },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return answer && parseEndpointState(answer.Attributes);
}

export interface LeaseChange {
  readonly fromMs: number;
  /** 0 gives it back. */
  readonly untilMs: number;
  /** When the next delivery may be started, whoever starts it; undefined when that is not this worker's to say. */
  readonly freeMs: number | undefined;
}

/** Prolongs the right, or gives it back; false when it was lost. */
export async function changeLease(
  table: Table,
  ref: EndpointRef,
  { fromMs, untilMs, freeMs }: LeaseChange,
): Promise<boolean> {
  const isPaced = freeMs !== undefined;
  const answer = await onlyIf(
    send(table, ref, {
      UpdateExpression: `SET backlogLeaseMs = :until${isPaced ? ', freeMs = :free' : ''}`,
      ConditionExpression: 'backlogLeaseMs = :from',
      ExpressionAttributeValues: { ':until': untilMs, ':from': fromMs, ...(isPaced && { ':free': freeMs }) },
    }),
  );
  return answer !== undefined;
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

async function onlyIf<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
