import { readJournal } from '../../../shared/data/journal/read.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { journalEntryResource } from '../../../shared/mappers/journal-entry.ts';
import { listJournalEntries } from '../../../shared/operations/journal/list-journal-entries.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listJournalEntries> = async ({ query }, { caller, table, clock, baseUrl }) => {
  const { orgId } = caller;
  const { limit, cursor, ...parameters } = query;
  const { event_id, order_id, unix_start, unix_end } = parameters;
  const nowMs = clock.nowMs();
  const signedList = { key: await cursorKey(), list: { orgId, operation: listJournalEntries.id, parameters } };
  const page = await readJournal(table, orgId, {
    // No event has the id 0, so an invalid id finds nothing.
    eventId: event_id === undefined ? undefined : (parseId(event_id) ?? 0),
    orderId: order_id,
    after: verifyListCursor(signedList, cursor),
    limit,
    sinceMs: unix_start === undefined ? 0 : (unix_start + 1) * 1000,
    untilMs: unix_end === undefined ? Number.MAX_SAFE_INTEGER : unix_end * 1000,
    nowMs,
  });
  return {
    object: 'journal_entries' as const,
    url: `${baseUrl}${listJournalEntries.paths[0]}`,
    has_more: page.next !== undefined,
    next_cursor: signListCursor(signedList, page.next),
    data: page.rows.map(journalEntryResource),
  };
};

export const handler = pipeline(listJournalEntries, handle);
