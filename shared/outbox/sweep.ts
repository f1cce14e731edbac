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

/**
 * Claims the events that should have been published by now. The claim lets only one of two concurrent sweepers publish an
 * event. A crash after the claim delays the event, but does not lose it: its hint stays until its deliveries exist.
 */
export async function* claimOverdue(
  table: Table,
  nowUnix: number,
  attempt: SweepAttempt,
): AsyncGenerator<EventReference[]> {
  for await (const hints of overdueHints(table, 'outbox', nowUnix)) {
    const claimed = await Promise.all(hints.map((hint) => attempt(hint, () => claimEvent(table, hint, nowUnix))));
    const events = claimed.flatMap((event) => event ?? []);
    if (events.length > 0) yield events;
  }
}

async function claimEvent(table: Table, hint: FoundHint, nowUnix: number): Promise<EventReference[]> {
  const pending = v.parse(Pending, hint.item);
  if (!mayBeSwept(pending, nowUnix)) return [];
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: dueHintKey(hint),
        UpdateExpression: 'SET sweeps = :next, sweptUnix = :now',
        // Without attribute_exists, the update would create a hint again that was removed in the meantime.
        ConditionExpression: 'attribute_exists(pk) AND (sweeps = :seen OR attribute_not_exists(sweeps))',
        ExpressionAttributeValues: { ':next': pending.sweeps + 1, ':seen': pending.sweeps, ':now': nowUnix },
      }),
    );
  } catch (error) {
    if (isConditionFailure(error)) return [];
    throw error;
  }
  const [orgId, eventId = ''] = hint.ref;
  return [{ orgId, eventId, type: pending.type, requestId: hint.requestId }];
}
