import { readAddresses } from '../../../shared/data/gates/addresses.ts';
import { readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import { checkAddressUse, checkOfflineUse } from '../../../shared/http/handlers/callers/offline-gate.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { eventTicket } from '../../../shared/mappers/event-ticket.ts';
import { listEventTickets } from '../../../shared/operations/events/list-event-tickets.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listEventTickets> = async ({ params, query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const event = await readEventFromPath(table, orgId, params.event_id);
  const { eventId, cancelledUnix } = event;
  checkOfflineUse(caller, eventId);
  if (query.addresses) checkAddressUse(caller);
  const { limit } = query;
  const updatedSince = changedSince(query.updated_since, cancelledUnix);
  const identity = { orgId, operation: listEventTickets.id, parameters: { eventId, updatedSince } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const { rows, next } = await readOfflinePage(table, { orgId, event, updatedSince, after, limit });
  const tickets = rows.flatMap((row) => ('ticket' in row ? row : []));
  const addressesOf = query.addresses ? await readAddresses(table, orgId, eventId, tickets) : undefined;
  const reader = caller.kind === 'gate' ? 'gate' : 'key';
  return {
    object: 'event_tickets',
    url: `${baseUrl}/v1/events/${eventId}/tickets`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: rows.map((row) => eventTicket(row, { reader, cancelledUnix, addressesOf })),
  };
};

/** The cancellation of an event changes everything in its list. */
function changedSince(updatedSince: number | undefined, cancelledUnix: number | null): number | undefined {
  return updatedSince !== undefined && updatedSince < (cancelledUnix ?? 0) ? undefined : updatedSince;
}

export const handler = pipeline(listEventTickets, handle);
