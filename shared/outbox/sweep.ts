import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { dueHintKey, type FoundHint, overdueHints } from '../data/table/due-hints.ts';
import { isConditionFailure } from '../data/table/failures.ts';
import { openEnum } from '../data/table/row.ts';
import type { Table } from '../data/table/table.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import type { EventReference } from './outbox.ts';

const Pending = v.object({
  type: openEnum<WebhookEventType>(),
  /** How often the sweeper has published it, and when last. */
  sweeps: v.optional(v.number(), 0),
  sweptUnix: v.optional(v.number(), 0),
});
type Pending = v.InferOutput<typeof Pending>;

const firstPauseSeconds = 60;
const maxPauseSeconds = 3_600;

/** The pause doubles each time: events that fail for hours must not flood the queues when they succeed again. */
function mayBeSwept({ sweeps, sweptUnix }: Pending, nowUnix: number): boolean {
  return sweeps === 0 || nowUnix >= sweptUnix + Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** sweeps);
}

/** An event whose hint is due. */
export interface PendingEvent extends EventReference {
  readonly hint: FoundHint;
  readonly sweeps: number;
}

export interface OutboxSweep {
  readonly table: Table;
  readonly nowUnix: number;
  readonly attempt: SweepAttempt;
  /** Removes the hints of those events of an organisation that need no further processing, and returns the others. */
  readonly settle: (table: Table, orgId: string, events: readonly PendingEvent[]) => Promise<readonly PendingEvent[]>;
}

/**
 * Claims the events that should have been delivered by now and were not. The claim lets only one of two concurrent sweepers
 * publish an event. A crash after the claim delays the event, but does not lose it: its hint stays until its deliveries exist.
 */
export async function* claimOverdue({
  table,
  nowUnix,
  attempt,
  settle,
}: OutboxSweep): AsyncGenerator<EventReference[]> {
  for await (const hints of overdueHints(table, 'outbox', nowUnix)) {
    const parsed = await Promise.all(hints.map((hint) => attempt(hint, async () => pendingEvents(hint, nowUnix))));
    const due = Map.groupBy(
      parsed.flatMap((events) => events ?? []),
      ({ orgId }) => orgId,
    );
    const left = await Promise.all(
      [...due].map(([orgId, events]) => attempt({ ref: [orgId] }, () => settle(table, orgId, events))),
    );
    const claimed = await Promise.all(
      left
        .flatMap((events) => events ?? [])
        .map((event) => attempt(event.hint, () => claimEvent(table, event, nowUnix))),
    );
    const events = claimed.flatMap((event) => event ?? []);
    if (events.length > 0) yield events;
  }
}

/** The event of a hint, unless it was published again a short time ago. */
function pendingEvents(hint: FoundHint, nowUnix: number): PendingEvent[] {
  const pending = v.parse(Pending, hint.item);
  const [orgId, eventId = ''] = hint.ref;
  const { type, sweeps } = pending;
  return mayBeSwept(pending, nowUnix) ? [{ orgId, eventId, type, requestId: hint.requestId, hint, sweeps }] : [];
}

async function claimEvent(
  table: Table,
  { hint, sweeps, ...event }: PendingEvent,
  nowUnix: number,
): Promise<EventReference[]> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: dueHintKey(hint),
        UpdateExpression: 'SET sweeps = :next, sweptUnix = :now',
        // Without attribute_exists, the update would create a hint again that was removed in the meantime.
        ConditionExpression: 'attribute_exists(pk) AND (sweeps = :seen OR attribute_not_exists(sweeps))',
        ExpressionAttributeValues: { ':next': sweeps + 1, ':seen': sweeps, ':now': nowUnix },
      }),
    );
  } catch (error) {
    if (isConditionFailure(error)) return [];
    throw error;
  }
  return [event];
}
