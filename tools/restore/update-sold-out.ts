import { nextEvent } from '../../shared/data/audit/organisation.ts';
import { redrawStock } from '../../shared/data/events/sold-out.ts';
import { nextOrganisation } from '../../shared/data/organisations/directory.ts';
import type { Table } from '../../shared/data/table/table.ts';

/**
 * `sold_out` and the pictures of seats follow the stock by the stream, and the new table has a new stream: changes that the old one
 * still had to deliver are not in it. Everything else that was in flight has a hint, which a sweeper finds. Returns the number of events.
 */
export async function updateSoldOutEvents(table: Table): Promise<number> {
  let events = 0;
  for (
    let orgId = await nextOrganisation(table, '');
    orgId !== undefined;
    orgId = await nextOrganisation(table, orgId)
  ) {
    for (
      let eventId = await nextEvent(table, orgId, 0);
      eventId !== undefined;
      eventId = await nextEvent(table, orgId, eventId)
    ) {
      await redrawStock(table, orgId, eventId);
      events += 1;
    }
  }
  return events;
}
