import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../domain/webhooks/event-types.ts';
import { busName } from '../platform/env.ts';
import { countOutcome, log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import type { EventReference } from './outbox.ts';

/** The maximum of PutEvents. */
const maxBatchSize = 10;

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
let client: EventBridgeClient | undefined;

function keptClient(): EventBridgeClient {
  client ??= new EventBridgeClient({ maxAttempts: 3, requestHandler });
  return client;
}

/**
 * Puts events on the bus and returns the events that failed: PutEvents succeeds as a whole although single entries fail. They are counted
 * for the alarm of the worker.
 */
export async function publish(
  worker: 'publish-outbox' | 'sweep-outbox',
  events: readonly EventReference[],
  bus = keptClient(),
): Promise<EventReference[]> {
  const batches: (readonly EventReference[])[] = [];
  for (let from = 0; from < events.length; from += maxBatchSize) batches.push(events.slice(from, from + maxBatchSize));
  const failed = (await Promise.all(batches.map((batch) => publishBatch(bus, batch)))).flat();
  if (failed.length > 0) countOutcome(worker, 'NotPublished', failed.length);
  return failed;
}

async function publishBatch(
  bus: EventBridgeClient,
  events: readonly EventReference[],
): Promise<readonly EventReference[]> {
  const Entries = events.map(({ orgId, eventId, type, requestId }) => ({
    EventBusName: busName(),
    Source: eventSource,
    DetailType: type,
    Detail: JSON.stringify({ org_id: orgId, event_id: eventId, type, api_request_id: requestId }),
  }));
  const { Entries: results = [] } = await bus.send(new PutEventsCommand({ Entries }));
  const failed = events.filter((_event, index) => results[index]?.EventId === undefined);
  for (const event of events) logPublished(event, failed.includes(event));
  return failed;
}

function logPublished({ orgId, eventId, type, requestId }: EventReference, isFailed: boolean): void {
  const fields = { ...traceFields({ requestId }), org_id: orgId, event_id: eventId, type };
  if (isFailed) log.warn('event not published', fields);
  else log.info('event published', fields);
}
