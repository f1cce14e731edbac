import { type ScanSubject, ticketSubject, unknownSubject } from '../../domain/scans/evaluate.ts';
import type { Scan } from '../../domain/scans/scan.ts';
import type { MemberRecord } from '../members/row.ts';
import { isFormerBarcode, isTicketRow, parsePassages, parseTicket, versionOf } from '../orders/barcode-row.ts';
import { barcodeKey, type ItemKey } from '../table/keys.ts';

/** The ticket or member of a barcode, and the item that contains its passages (for a ticket, the ticket's own item). */
export interface FoundSubject {
  readonly subject: ScanSubject;
  /** Version 0 means that the item does not exist yet. Undefined for an unknown barcode. */
  readonly log: { readonly key: ItemKey; readonly version: number } | undefined;
  /** What the first admission to an event changes too, if the membership has a limit of entries. */
  readonly entries?: { readonly key: ItemKey; readonly version: number } | undefined;
  /** The member whose last entry it is. Its row changes, so that gates without a connection learn it. */
  readonly lastEntryOf?: MemberRecord | undefined;
}

export interface ScannedBarcode {
  readonly orgId: string;
  readonly scan: Scan;
  /** The item of the barcode, if it exists. */
  readonly item: Readonly<Record<string, unknown>> | undefined;
}

/** Finds the ticket or member of a barcode. It is called again if a concurrent scan changed the passages. */
export type FindSubject = (read: ScannedBarcode) => Promise<FoundSubject>;

const noSubject: FoundSubject = { subject: unknownSubject, log: undefined };

/** Finds tickets only. Every other barcode is unknown. */
export async function findTicket({ orgId, scan, item }: ScannedBarcode): Promise<FoundSubject> {
  if (!isTicketRow(item)) return noSubject;
  const ticket = ticketSubject(parseTicket(item), parsePassages(item), scan);
  const isVoid = isFormerBarcode(item) && ticket.refusal !== 'wrong_event';
  const subject = isVoid ? { ...ticket, refusal: 'transferred' as const } : ticket;
  return { subject, log: { key: barcodeKey(orgId, scan.barcode), version: versionOf(item) } };
}
