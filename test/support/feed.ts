import * as v from 'valibot';
import { overdueHints } from '../../shared/data/table/due-hints.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { WebhookEvent } from '../../shared/operations/schemas/webhook-event.ts';
import { readFeed } from '../../shared/outbox/feed.ts';

const farFutureMs = Date.UTC(2100, 0, 1);

/** Every announced event of an organisation, parsed with its public schema. */
export async function announcedOf(table: Table, orgId: string): Promise<WebhookEvent[]> {
  const { events } = await readFeed(table, orgId, {
    after: undefined,
    limit: 10_000,
    sinceMs: 0,
    untilMs: farFutureMs,
    nowMs: farFutureMs,
  });
  return events.map(({ body }) => v.parse(WebhookEvent, JSON.parse(body)));
}

/** The ids of the events that are not published or not yet handled. */
export async function pendingOf(table: Table, orgId: string): Promise<string[]> {
  const pending: string[] = [];
  for await (const hints of overdueHints(table, 'outbox', farFutureMs / 1000)) {
    pending.push(...hints.filter(({ ref }) => ref[0] === orgId).map(({ ref }) => String(ref[1])));
  }
  return pending.sort();
}
