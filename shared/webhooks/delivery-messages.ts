import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRef } from '../data/webhooks/endpoint-state-row.ts';
import { backlogsUrl, deliveriesUrl, retriesUrl } from '../platform/env.ts';
import { Fault } from '../platform/fault.ts';

/** SQS delays no message for longer; what has to wait longer waits in the table. */
export const longestDelaySeconds = 900;
const maxAtOnce = 10;

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
let client: SQSClient | undefined;

const Delivery = v.object({
  orgId: v.string(),
  endpointId: v.string(),
  eventId: v.string(),
  /** Somebody asked for this one by hand: an open circuit does not stop it. */
  forced: v.optional(v.boolean(), false),
});
export type DeliveryMessage = v.InferInput<typeof Delivery>;
const Line = v.object({ orgId: v.string(), endpointId: v.string() });

export function deliveryOfMessage(body: unknown): v.InferOutput<typeof Delivery> {
  return v.parse(Delivery, body);
}

export function endpointOfMessage(body: unknown): EndpointRef {
  return v.parse(Line, body);
}

/** One message for each endpoint, so that none of them waits for another. */
export async function sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void> {
  await sendAll(deliveriesUrl(), messages.map(messageOf));
}

export interface DelayedDelivery extends DeliveryRef {
  readonly delaySeconds: number;
}

export async function sendRetries(messages: readonly DelayedDelivery[]): Promise<void> {
  await sendAll(
    retriesUrl(),
    messages.map(({ delaySeconds, ...message }) => ({ ...messageOf(message), DelaySeconds: delaySeconds })),
  );
}

/** Has somebody look at the line of an endpoint. */
export async function wakeBacklog({ orgId, endpointId }: EndpointRef, delaySeconds = 0): Promise<void> {
  const message = { MessageBody: JSON.stringify({ orgId, endpointId }), MessageGroupId: endpointId };
  await sendAll(backlogsUrl(), [{ ...message, DelaySeconds: delaySeconds }]);
}

interface Message {
  readonly MessageBody: string;
  /** Makes the queue fair: an endpoint with many messages does not make the others wait. */
  readonly MessageGroupId: string;
  readonly DelaySeconds?: number;
}

function messageOf(message: DeliveryMessage): Message {
  const { orgId, endpointId, eventId, forced = false } = message;
  return { MessageBody: JSON.stringify({ orgId, endpointId, eventId, forced }), MessageGroupId: endpointId };
}

async function sendAll(QueueUrl: string, messages: readonly Message[]): Promise<void> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler });
  for (let from = 0; from < messages.length; from += maxAtOnce) {
    const Entries = messages.slice(from, from + maxAtOnce).map((message, index) => ({ ...message, Id: String(index) }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Fault(`SQS rejected ${Failed.length} of ${Entries.length} messages.`);
  }
}
