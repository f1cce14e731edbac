import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { feedKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { type FeedEvent, readFeed } from '../../shared/outbox/feed.ts';
import { feedShardOf } from '../../shared/outbox/feed-shards.ts';

const pageSize = 400;
/** More than the feed stays behind now, so that what happened just now is there too. */
const aheadMs = 60_000;

/** Every event of an organisation that is still kept, oldest first. */
export async function* everyEvent(table: Table, orgId: string, nowMs: number): AsyncGenerator<FeedEvent> {
  const bounds = { limit: pageSize, sinceMs: 0, untilMs: nowMs + aheadMs, nowMs: nowMs + aheadMs };
  let after: string | undefined;
  do {
    const page = await readFeed(table, orgId, { ...bounds, after });
    yield* page.events;
    after = page.next;
  } while (after !== undefined);
}

/**
 * Puts another body in the place of an event's. An event is otherwise never changed: this is for erasing a person, and
 * endpoints that have not been told yet are told what is left.
 */
export async function rewriteEvent(table: Table, orgId: string, eventId: string, body: string): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: feedKey(orgId, feedShardOf(eventId), eventId),
      UpdateExpression: 'SET body = :body',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':body': body },
    }),
  );
}
