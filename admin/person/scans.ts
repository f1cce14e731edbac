import { eraseScan } from '../../shared/data/admin/erase-scan.ts';
import { everyEvent, everyScan } from '../../shared/data/admin/read-all.ts';
import type { ScanRecord } from '../../shared/domain/scans/scan.ts';
import { isoTimestamp } from '../../shared/mappers/iso-timestamp.ts';
import { isOfUnlinkedOrder, scanMatcher } from './scan-owner.ts';
import type { Person, PersonSection } from './section.ts';

/** The scans of the person's tickets and membership cards. */
export const scansSection: PersonSection = {
  name: 'scans',
  async collect(person) {
    const found: unknown[] = [];
    for await (const scan of scansOf(person)) found.push(scanDocument(scan));
    return found;
  },
  async erase(person) {
    let erased = 0;
    for await (const scan of scansOf(person)) {
      if ((await eraseScan(person.table, person.orgId, scan)) === 'erased') erased += 1;
    }
    return erased;
  },
};

/**
 * Reads the scans of all events: they are indexed neither by ticket nor by member, and a ticket may be scanned at the wrong
 * event. Operators need this a few times a year; an index would cost a write for every scan.
 */
async function* scansOf(person: Person): AsyncGenerator<ScanRecord> {
  const { table, orgId } = person;
  const isOwn = await scanMatcher(person);
  for await (const { eventId } of everyEvent(table, orgId)) {
    for await (const scan of everyScan(table, orgId, eventId)) {
      if (isOwn(scan) || (await isOfUnlinkedOrder(person, scan))) yield scan;
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
