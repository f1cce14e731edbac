import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type DevicePosition, parsePosition } from '../data/wallets/devices.ts';
import { parseBusMessage } from '../outbox/event-reference.ts';
import type { EventReference } from '../outbox/outbox.ts';
import { ownQueueUrl } from '../platform/env.ts';

/** An event of the bus after which passes may have changed, or the rest of its devices. */
export interface PassMessage extends EventReference {
  /** The devices up to here were told; undefined in the message of the bus. */
  readonly after: DevicePosition | undefined;
}

const Rest = v.object({ after: v.optional(v.unknown()) });

export function parsePassMessage(body: unknown): PassMessage {
  const { after } = v.parse(Rest, body);
  return { ...parseBusMessage(body), after: after === undefined ? undefined : parsePosition(after) };
}

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
let client: SQSClient | undefined;

/** Sends what is left of an event's devices as a message of its own: a run that crashes begins again here, and not at the first. */
export async function sendRest(
  { orgId, eventId, type, requestId }: EventReference,
  after: DevicePosition,
): Promise<void> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler });
  // In the form of the bus.
  const detail = { org_id: orgId, event_id: eventId, type, api_request_id: requestId };
  const MessageBody = JSON.stringify({ detail, after });
  await client.send(new SendMessageCommand({ QueueUrl: ownQueueUrl(), MessageBody }));
}
