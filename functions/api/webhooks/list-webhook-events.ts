import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { webhookEvent } from '../../../shared/mappers/webhook-event.ts';
import { listWebhookEvents } from '../../../shared/operations/webhooks/list-webhook-events.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

const retentionMs = 30 * 86_400_000;

export const handle: Handle<typeof listWebhookEvents> = async ({ query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const { unix_start, unix_end, limit, cursor } = query;
  const nowMs = clock.nowMs();
  const parameters = { unix_start, unix_end };
  const signedList = { key: await cursorKey(), list: { orgId, operation: listWebhookEvents.id, parameters } };
  const page = await readFeed(table, orgId, {
    after: verifyListCursor(signedList, cursor),
    limit,
    // DynamoDB may keep expired items for days.
    sinceMs: Math.max(nowMs - retentionMs, unix_start === undefined ? 0 : (unix_start + 1) * 1000),
    untilMs: unix_end === undefined ? nowMs : unix_end * 1000,
    nowMs,
  });
  return {
    object: 'webhook_events' as const,
    url: `${baseUrl}${listWebhookEvents.paths[0]}`,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.events.map(webhookEvent),
  };
};

export const handler = pipeline(listWebhookEvents, handle);
