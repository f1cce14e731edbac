import { ordersOfUser } from '../../../shared/data/orders-read.ts';
import { eraseScanned, everyScan } from '../../../shared/data/scans-erase.ts';
import type { ScanRecord } from '../../../shared/domain/scan-record.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import type { Person, PersonPart } from './part.ts';

/** The readings of the customer's tickets at gates. */
export const scansPart: PersonPart = {
  name: 'scans',
  async collect(person) {
    return (await scansOf(person)).map(scanDocument);
  },
  async erase(person) {
    let erased = 0;
    for (const scan of await scansOf(person)) {
      if ((await eraseScanned(person.table, person.orgId, scan)) === 'erased') erased += 1;
    }
    return erased;
  },
};

/**
 * Scans are not indexed by ticket, so this walks through those of the events that the customer has orders for: an operator
 * asks for it a few times a year, and an index would be paid for with every scan.
 */
async function scansOf({ table, orgId, customer }: Person): Promise<ScanRecord[]> {
  const orders = await ordersOfUser(table, orgId, customer.userId, 'all');
  const orderIds = new Set<number | null>(orders.map(({ orderId }) => orderId));
  const found: ScanRecord[] = [];
  for (const eventId of new Set(orders.map((order) => order.eventId))) {
    for await (const scans of everyScan(table, orgId, eventId)) {
      found.push(...scans.filter(({ orderId }) => orderIds.has(orderId)));
    }
  }
  return found;
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
