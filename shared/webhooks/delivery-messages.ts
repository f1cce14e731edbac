import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRef } from '../data/webhooks/endpoint-state-row.ts';
import { webhookEventTypes } from '../domain/webhooks/event-types.ts';
import { backlogsUrl, deliveriesUrl, retriesUrl } from '../platform/env.ts';
import { Fault } from '../platform/fault.ts';
import { type RequestTrace, traceOf } from '../platform/request-trace.ts';

/** The maximum of SQS. A delivery that has to wait longer waits in the table. */
export const maxDelaySeconds = 900;
const maxBatchSize = 10;

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
let client: SQSClient | undefined;

const DeliveryBody = v.object({
  orgId: v.string(),
  endpointId: v.string(),
  eventId: v.string(),
  /** In the first message of a delivery, which may not exist yet. */
  type: v.optional(v.picklist(webhookEventTypes)),
  /** A user requested this delivery: an open circuit does not stop it. */
  forced: v.optional(v.boolean(), false),
  requestId: v.optional(v.string()),
  redeliveryRequestId: v.optional(v.string()),
});
export type DeliveryMessage = v.InferInput<typeof DeliveryBody>;
const BacklogBody = v.object({
  orgId: v.string(),
  endpointId: v.string(),
  requestId: v.optional(v.string()),
  redeliveryRequestId: v.optional(v.string()),
});

export function parseDeliveryMessage(body: unknown): v.InferOutput<typeof DeliveryBody> {
  return v.parse(DeliveryBody, body);
}

/** A backlog, with the request that woke it: of the delivery that joined it, or whose attempt changed the circuit. */
export type WokenBacklog = EndpointRef & RequestTrace;

/** A backlog belongs to many requests. One that a timer or the sweeper woke has none. */
export function parseBacklogMessage(body: unknown): WokenBacklog {
  return v.parse(BacklogBody, body);
}

/** Sends one message for each endpoint, so no endpoint waits for another. */
export async function sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void> {
  await sendInBatches(deliveriesUrl(), messages.map(toMessage));
}

export interface DelayedDelivery extends DeliveryRef, Pick<DeliveryMessage, 'requestId' | 'redeliveryRequestId'> {
  readonly delaySeconds: number;
}

export async function sendRetries(messages: readonly DelayedDelivery[]): Promise<void> {
  await sendInBatches(
    retriesUrl(),
    messages.map(({ delaySeconds, ...message }) => ({ ...toMessage(message), DelaySeconds: delaySeconds })),
  );
}

/** Sends the message that makes drain-webhook-backlog drain the backlog of an endpoint. */
export async function wakeBacklog(backlog: WokenBacklog, delaySeconds = 0): Promise<void> {
  const { orgId, endpointId } = backlog;
  const body = { orgId, endpointId, ...traceOf(backlog) };
  const message = { MessageBody: JSON.stringify(body), MessageGroupId: endpointId };
  await sendInBatches(backlogsUrl(), [{ ...message, DelaySeconds: delaySeconds }]);
}

interface Message {
  readonly MessageBody: string;
  /** SQS fair queues: an endpoint with many messages does not delay the others. */
  readonly MessageGroupId: string;
  readonly DelaySeconds?: number;
}

function toMessage(message: DeliveryMessage): Message {
  const { orgId, endpointId, eventId, type, forced = false } = message;
  const body = { orgId, endpointId, eventId, type, forced, ...traceOf(message) };
  return { MessageBody: JSON.stringify(body), MessageGroupId: endpointId };
}

async function sendInBatches(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler });
  for (let from = 0; from < messages.length; from += maxBatchSize) {
    const Entries = messages
      .slice(from, from + maxBatchSize)
      .map((message, index) => ({ ...message, Id: String(index) }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Fault(`SQS rejected ${Failed.length} of ${Entries.length} messages.`);
  }
}
