import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { webhookEvent } from '../../../shared/mappers/webhook-event.ts';
import { listWebhookEvents } from '../../../shared/operations/webhooks/list-webhook-events.ts';
import { eventIdMs } from '../../../shared/outbox/event-id.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

const retentionMs = 30 * 86_400_000;
/** A client that begins at `available_from` needs a moment for its next request. */
const marginSeconds = 60;

export const handle: Handle<typeof listWebhookEvents> = async ({ query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const { unix_start, unix_end, limit, cursor } = query;
  const nowMs = clock.nowMs();
  const parameters = { unix_start, unix_end };
  const signedList = { key: await cursorKey(), list: { orgId, operation: listWebhookEvents.id, parameters } };
  const after = verifyListCursor(signedList, cursor);
  // DynamoDB may keep expired items for days.
  const keptMs = nowMs - retentionMs;
  const sinceMs = unix_start === undefined ? keptMs : (unix_start + 1) * 1000;
  if ((after === undefined ? sinceMs : eventIdMs(after)) < keptMs) {
    const availableFrom = Math.ceil(keptMs / 1000) + marginSeconds;
    throw problem(
      'events_expired',
      `Events are kept for 30 days, and some after this time are gone. Compare your copy with the lists, then begin at ${availableFrom}.`,
      { param: after === undefined ? 'unix_start' : 'cursor', availableFrom },
    );
  }
  const page = await readFeed(table, orgId, {
    after,
    limit,
    sinceMs,
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
