import type { RecordedCalls } from '../harness/call-recorder.ts';
import { assumed, dollarsPerMillion } from '../prices.ts';

/**
 * The cost of publishing one event: the bus, a queue to the fan-out and a queue to one endpoint, each message sent, received and
 * deleted. The units are those of the fan-out (reads the endpoints, writes a delivery and its hint, deletes the event's hint) and
 * of a delivery (part `webhooks`).
 */
const eventCost = {
  events: 1,
  sqsRequests: 6,
  invocations: 3,
  workerMs: 3 * 3 * assumed.roundTripMs,
  readUnits: 1 + 4,
  writeUnits: 5 + 7,
};

interface Cost extends Pick<RecordedCalls, 'readUnits' | 'writeUnits' | 'eventBytes' | 'depth'> {
  readonly messages: number;
  readonly cpuMs: number;
}

/** What a million requests cost. */
export function dollarsOf({ cpuMs, depth, readUnits, writeUnits, messages, eventBytes }: Cost): number {
  const event = eventBytes > 0 ? eventCost : undefined;
  return dollarsPerMillion({
    requests: 1,
    invocations: 1 + (event?.invocations ?? 0),
    lambdaMs: cpuMs + depth * assumed.roundTripMs,
    workerMs: event?.workerMs ?? 0,
    readUnits: readUnits + (event?.readUnits ?? 0),
    writeUnits: writeUnits + (event?.writeUnits ?? 0),
    sqsRequests: messages + (event?.sqsRequests ?? 0),
    events: event?.events ?? 0,
  });
}
