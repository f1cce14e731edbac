import { type ScanSubject, ticketSubject, unknownSubject } from '../../domain/scans/evaluate.ts';
import type { Scan } from '../../domain/scans/scan.ts';
import type { MemberRecord } from '../members/row.ts';
import { isFormerBarcode, isTicketRow, parsePassages, parseTicket, versionOf } from '../orders/barcode-row.ts';
import { endingOf } from '../orders/ticket-ending.ts';
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
  /** The member who can still withdraw. An entry counts only while its row is as it was read: a withdrawal at the same moment changes it. */
  readonly withdrawable?: MemberRecord | undefined;
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
  // Its buyer has cancelled it, and the refund is under way.
  const ended = endingOf(item) === undefined ? undefined : ('cancelled' as const);
  const subject = { ...ticket, refusal: isVoid ? ('transferred' as const) : (ticket.refusal ?? ended) };
  return { subject, log: { key: barcodeKey(orgId, scan.barcode), version: versionOf(item) } };
}
