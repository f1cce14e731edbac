import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { shardOf } from '../../shared/data/lists/sharded-list.ts';
import { feedKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { type FeedEvent, readFeed } from '../../shared/outbox/feed.ts';

const pageSize = 400;
/** The feed ends a few seconds before now. Reading it at a later time includes the latest events. */
const aheadMs = 60_000;

/** Every event that the feed of an organisation still has, oldest first. */
export async function* everyFeedEvent(table: Table, orgId: string, nowMs: number): AsyncGenerator<FeedEvent> {
  const bounds = { limit: pageSize, sinceMs: 0, untilMs: nowMs + aheadMs, nowMs: nowMs + aheadMs };
  let after: string | undefined;
  do {
    const page = await readFeed(table, orgId, { ...bounds, after });
    yield* page.events;
    after = page.next;
  } while (after !== undefined);
}

/**
 * Replaces the body of an event. Events never change otherwise: only the erasure of a person does this. Deliveries that are
 * still pending send the new body.
 */
export async function rewriteFeedEvent(table: Table, orgId: string, eventId: string, body: string): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: feedKey(orgId, shardOf(eventId), eventId),
      UpdateExpression: 'SET body = :body',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':body': body },
    }),
  );
}
