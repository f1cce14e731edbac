import { eraseScanned } from '../../shared/data/admin/erase-scans.ts';
import { everyEvent, everyScan } from '../../shared/data/admin/read-all.ts';
import type { ScanRecord } from '../../shared/domain/scans/scan.ts';
import { isoTimestamp } from '../../shared/mappers/iso-timestamp.ts';
import { isOfUnlinkedOrder, theirScans } from './scan-owner.ts';
import type { Person, PersonPart } from './section.ts';

/** The readings of the customer's tickets and membership cards at gates. */
export const scansPart: PersonPart = {
  name: 'scans',
  async collect(person) {
    const found: unknown[] = [];
    for await (const scan of scansOf(person)) found.push(scanDocument(scan));
    return found;
  },
  async erase(person) {
    let erased = 0;
    for await (const scan of scansOf(person)) {
      if ((await eraseScanned(person.table, person.orgId, scan)) === 'erased') erased += 1;
    }
    return erased;
  },
};

/**
 * Scans are indexed neither by ticket nor by member, and a ticket may be read at an event that it is not for. So this walks
 * through those of all events: an operator asks for it a few times a year, and an index would be paid for with every scan.
 */
async function* scansOf(person: Person): AsyncGenerator<ScanRecord> {
  const { table, orgId } = person;
  const isTheirs = await theirScans(person);
  for await (const { eventId } of everyEvent(table, orgId)) {
    for await (const scan of everyScan(table, orgId, eventId)) {
      if (isTheirs(scan) || (await isOfUnlinkedOrder(person, scan))) yield scan;
    }
  }
}

function scanDocument(scan: ScanRecord) {
  return {
    event_id: String(scan.eventId),
    scanned_at: isoTimestamp(scan.scannedUnix),
    gate_id: scan.gateId,
    gate: scan.gate,
    direction: scan.direction,
    result: scan.result,
    ticket_id: scan.ticketId,
    ticket_name: scan.ticketName,
    barcode: scan.barcode,
    email_address: scan.emailAddress,
  };
}
